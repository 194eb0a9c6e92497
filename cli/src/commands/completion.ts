import { type Command, commonOptions, takeArguments } from '../command.ts';
import { CliError, exit } from '../errors.ts';

/** Words that may follow `after`: commands, second words of commands, or options. */
type Offer = { after: string; words: Word[] };
type Word = { word: string; about: string; takesValue?: boolean };

/** Suggestions after the typed words. `whole` matches exactly these words, `within` matches them as a prefix. */
type Offers = { whole: Offer[]; within: Offer[] };

const offersOf = (commands: readonly Command[]): Offers => {
  const firsts = new Map<string, Word>();
  const seconds = new Map<string, Word[]>();
  for (const { name, summary } of commands) {
    const [first, second] = name.split(' ') as [string, string?];
    firsts.set(first, { word: first, about: second ? `Commands for ${first}s.` : summary });
    if (second) seconds.set(first, [...(seconds.get(first) ?? []), { word: second, about: summary }]);
  }
  return {
    whole: [
      { after: '', words: [...firsts.values()] },
      ...Array.from(seconds, ([after, words]) => ({ after, words })),
    ],
    within: commands.map(({ name, options }) => ({
      after: name,
      words: Object.entries({ ...options, ...commonOptions }).map(([option, { about, type }]) => ({
        word: `--${option}`,
        about,
        takesValue: type === 'string',
      })),
    })),
  };
};

/** The branches of a shell's `case`, which has the same syntax in bash and zsh. */
const cases = ({ whole, within }: Offers, then: (words: Offer['words']) => string): string =>
  [
    ...whole.map(({ after, words }) => `    "${after}") ${then(words)} ;;`),
    ...within.map(({ after, words }) => `    "${after}"*) ${then(words)} ;;`),
  ].join('\n');

const bash = (offers: Offers): string => `_dokima() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words=""
  case "$line" in
${cases(offers, (words) => `words="${words.map(({ word }) => word).join(' ')}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _dokima dokima
`;

const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A word with its description, in the form that zsh's _describe takes. */
const described = ({ word, about }: Word): string => inQuotes(`${word}:${about}`);

const zsh = (offers: Offers): string => `_dokima() {
  local -a offered
  case "\${(j: :)words[2,CURRENT-1]}" in
${cases(offers, (words) => `offered=(${words.map(described).join(' ')})`)}
  esac
  _describe dokima offered || _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _dokima dokima
`;

const fish = ({ whole, within }: Offers): string => {
  const seen = (words: string): string =>
    words === ''
      ? '__fish_use_subcommand'
      : words.replaceAll(/\S+/g, '__fish_seen_subcommand_from $&').replaceAll(' __', '; and __');
  const quote = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;
  const line = (after: string, what: string, about: string) =>
    `complete -c dokima -n '${seen(after)}' ${what} -d ${quote(about)}`;
  return `${[
    ...whole.flatMap(({ after, words }) => words.map(({ word, about }) => line(after, `-a ${word}`, about))),
    ...within.flatMap(({ after, words }) =>
      words.map(({ word, about, takesValue }) =>
        line(after, `-l ${word.slice(2)}${takesValue ? ' -r' : ''}`, about),
      ),
    ),
  ].join('\n')}\n`;
};

const scripts: Record<string, (offers: Offers) => string> = { bash, zsh, fish };

/** The command that prints completion scripts. It reads `commands` when it runs, because the list includes this command. */
export const completionOf = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  takes: 'bash|zsh|fish',
  summary: 'Print a script that lets the shell complete commands and options.',
  examples: [
    'source <(dokima completion bash)',
    'dokima completion fish > ~/.config/fish/completions/dokima.fish',
  ],
  run: async ({ out }, args) => {
    const [shell] = takeArguments('completion', args, 'The shell');
    const script = scripts[shell!];
    if (!script)
      throw new CliError(
        `There is no completion for '${shell}'.`,
        `Choose one of: ${Object.keys(scripts).join(', ')}`,
      );
    out.raw(script(offersOf(commands())));
    return exit.pass;
  },
});
