import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useId } from 'react';
import { apiQuery } from '../../api.ts';
import type { JudgeModels } from '../../types.ts';
import { Input } from '../../ui/field.tsx';
import { useMay } from '../session/me.ts';

/** Lists say nothing about what a model is for; the names of models of embeddings do. */
const embeds = /embed|\b(bge|e5|gte|minilm|mpnet|voyage)\b/i;

type Lists = JudgeModels['providers'];

/** The models of the providers that are for this, by name. */
const namesOf = (lists: Lists, kind: 'text' | 'embeddings') =>
  lists.flatMap(({ models }) => models.filter(({ name }) => embeds.test(name) === (kind === 'embeddings')));

/** The names of the models whose end their provider has not announced. */
export const lastingModels = (lists: Lists | undefined, kind: 'text' | 'embeddings'): string[] =>
  namesOf(lists ?? [], kind)
    .filter(({ endsOn }) => endsOn === null)
    .map(({ name }) => name);

type ModelInputProps = Omit<ComponentProps<typeof Input>, 'list'> & {
  /** What the model is for: to write, as judges do, or to give embeddings. */
  kind?: 'text' | 'embeddings';
};

/**
 * The name of a model. It suggests those of the organization's providers; any other can be typed. Its placeholder is one of them that
 * has no announced end.
 */
export const ModelInput = ({ kind = 'text', ...field }: ModelInputProps) => {
  const id = useId();
  const may = useMay();
  const { data } = useQuery({ ...apiQuery('listJudgeModels'), enabled: may.write });
  const lists = data?.providers ?? [];
  const example = lastingModels(lists, kind)[0] ?? 'provider/model';
  return (
    <>
      <Input autoComplete="off" placeholder={example} {...field} list={id} />
      <datalist id={id}>
        {namesOf(lists, kind).map(({ name, endsOn }) => (
          <option key={name} value={name}>
            {endsOn && `ends on ${endsOn}`}
          </option>
        ))}
      </datalist>
    </>
  );
};
