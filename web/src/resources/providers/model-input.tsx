import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useId } from 'react';
import { apiQuery } from '../../api.ts';
import { Input } from '../../ui/field.tsx';
import { useMay } from '../session/me.ts';

/** Lists say nothing about what a model is for; the names of models of embeddings do. */
const embeds = /embed|\b(bge|e5|gte|minilm|mpnet|voyage)\b/i;

type ModelInputProps = Omit<ComponentProps<typeof Input>, 'list'> & {
  /** What the model is for: to write, as judges do, or to give embeddings. */
  kind?: 'text' | 'embeddings';
};

/** The name of a model. It suggests those of the organization's providers; any other can be typed. */
export const ModelInput = ({ kind = 'text', ...field }: ModelInputProps) => {
  const id = useId();
  const may = useMay();
  const { data } = useQuery({ ...apiQuery('listJudgeModels'), enabled: may.write });
  const names = data?.providers.flatMap(({ models }) => models.map(({ name }) => name)) ?? [];
  return (
    <>
      <Input autoComplete="off" {...field} list={id} />
      <datalist id={id}>
        {names
          .filter((name) => embeds.test(name) === (kind === 'embeddings'))
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
    </>
  );
};
