import {
  autocompletion,
  type CompletionContext,
  closeBrackets,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { python } from '@codemirror/lang-python';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

export type CodeLanguage = 'typescript' | 'python' | 'jinja' | 'json' | 'text';

type CodeEditorProps = {
  label: string;
  value: string;
  language: CodeLanguage;
  readOnly?: boolean;
  /** What may stand between {{ and }}. */
  variables?: readonly string[];
  onChange: (value: string) => void;
};

const theme = EditorView.theme({
  '&': { fontSize: 'var(--text-sm)', backgroundColor: 'var(--surface)', color: 'var(--ink)' },
  '.cm-content': { fontFamily: 'var(--font-mono)', caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--soft)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--selected)',
    color: 'var(--ink)',
  },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--solid) 25%, transparent)',
  },
  '.cm-placeholder-mark': { color: 'var(--accent)' },
});

/** Few colours, those of the page: they hold in both themes. */
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--pass)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.definition(tags.variableName), fontWeight: 'var(--font-weight-semibold)' },
  { tag: tags.invalid, color: 'var(--fail)' },
]);

/** {{ … }} and {% … %} stand out in a template. */
const placeholders = ViewPlugin.fromClass(
  class {
    matcher = new MatchDecorator({
      regexp: /\{\{.*?\}\}|\{%.*?%\}/g,
      decoration: Decoration.mark({ class: 'cm-placeholder-mark' }),
    });
    decorations;
    constructor(view: EditorView) {
      this.decorations = this.matcher.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = this.matcher.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const complete = (variables: () => readonly string[]) => (context: CompletionContext) => {
  const before = context.matchBefore(/\{\{\s*[\w.]*/);
  if (!before) return null;
  const from = before.from + /^\{\{\s*/.exec(before.text)![0].length;
  return { from, options: variables().map((label) => ({ label, type: 'variable' })) };
};

const syntax = (language: CodeLanguage, variables: () => readonly string[]) => {
  if (language === 'typescript') return [javascript({ typescript: true })];
  // JSON is JavaScript, as far as colours go.
  if (language === 'json') return [javascript()];
  if (language === 'python') return [python()];
  if (language === 'jinja') return [placeholders, autocompletion({ override: [complete(variables)] })];
  return [];
};

// It would add a blank line; on our pages it saves or runs what is written.
const pageKey = 'Mod-Enter';

/** An editor for code and templates. Tab leaves it, as every field; loaded on demand. */
const CodeEditor = ({
  label,
  value,
  language,
  readOnly = false,
  variables = [],
  onChange,
}: CodeEditorProps) => {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useRef(onChange);
  useEffect(() => {
    changed.current = onChange;
  });
  const offered = useRef(variables);
  const names = variables.join(' ');
  useEffect(() => {
    offered.current = names ? names.split(' ') : [];
    // They may come after the braces that ask for them.
    if (view.current?.hasFocus) startCompletion(view.current);
  }, [names]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor owns its text; `value` is brought in below
  useEffect(() => {
    const editor = new EditorView({
      parent: parent.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          syntaxHighlighting(colours),
          keymap.of([...defaultKeymap.filter(({ key }) => key !== pageKey), ...historyKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorState.readOnly.of(readOnly),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current(update.state.doc.toString());
          }),
          theme,
          syntax(language, () => offered.current),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, language, readOnly]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return (
    <div
      ref={parent}
      className="max-h-[50vh] min-h-32 overflow-auto rounded-md border border-edge focus-within:outline-2 focus-within:outline-accent"
    />
  );
};
export default CodeEditor;
