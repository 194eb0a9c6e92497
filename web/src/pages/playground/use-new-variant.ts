import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { newVariant, type Variant } from './variant.ts';

/** Makes prompts to be written, which ask the default model until the user names another. */
export const useNewVariant = (): ((key?: string) => Variant) => {
  const { data } = useQuery(apiQuery('listJudgeModels'));
  return (key) => newVariant(key, data?.defaultModelName ?? '');
};
