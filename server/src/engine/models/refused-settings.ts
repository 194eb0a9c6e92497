import type { ResolvedModel } from './provider.ts';

/** Settings that a model does not accept. Requests leave them out. */
export type RefusedSettings = {
  temperature: boolean;
  schema: boolean;
  maxOutputTokens: boolean;
  /** A system message: its text goes before that of the user. */
  system: boolean;
};

/** Maximum number of remembered keys. */
const remembered = 1_000;
/** How long a refused setting is left out: a server that is loading its model may refuse a setting that it accepts later. */
const refusedMs = 600_000;

/** Models that think before they answer take no temperature: o1, o3-mini, gpt-5, but not gpt-5-chat. */
const refusesTemperature = /(^|\/)(o\d(-|$)|gpt-5(?!.*chat))/;

/** Returns the value of a key and creates it if there is none. Forgets the oldest key beyond a limit. */
export const remember = <T>(known: Map<string, T>, key: string, make: () => T): T => {
  const found = known.get(key);
  if (found) return found;
  const made = make();
  known.set(key, made);
  if (known.size > remembered) known.delete(known.keys().next().value!);
  return made;
};

const settingsKey = ({ provider: { kind, name, baseUrl }, model }: ResolvedModel): string =>
  JSON.stringify([kind, name, baseUrl, model]);

/** Settings that are left out before any refusal. */
const noneRefused = ({ model }: ResolvedModel): RefusedSettings => ({
  temperature: refusesTemperature.test(model),
  schema: false,
  maxOutputTokens: false,
  system: false,
});

/** Returns a memory of the settings that models refuse. */
export const openRefusedSettings = ({ now }: { now(): number }) => {
  const settings = new Map<string, { refused: RefusedSettings; until: number }>();
  return {
    refusedSettings: (model: ResolvedModel): RefusedSettings => {
      const known = settings.get(settingsKey(model));
      return known && now() < known.until ? known.refused : noneRefused(model);
    },
    learnRefused: (model: ResolvedModel, refused: RefusedSettings): void => {
      const before = noneRefused(model);
      const names = Object.keys(before) as (keyof RefusedSettings)[];
      if (names.every((name) => refused[name] === before[name])) return;
      const known = remember(settings, settingsKey(model), () => ({ refused, until: 0 }));
      known.refused = refused;
      // Counted from the first refusal, so that the settings are tried again.
      if (now() >= known.until) known.until = now() + refusedMs;
    },
  };
};
