/** The part of saxen that is used: it has no types of its own. */
declare module 'saxen' {
  type Decode = (text: string) => string;
  export class Parser {
    on(
      event: 'openTag',
      heard: (element: string, attributes: () => Record<string, string>, decode: Decode) => void,
    ): this;
    on(event: 'closeTag', heard: (element: string) => void): this;
    on(event: 'text', heard: (value: string, decode: Decode) => void): this;
    on(event: 'cdata', heard: (value: string) => void): this;
    on(event: 'error', heard: (error: Error, contextOf: () => { line: number }) => void): this;
    parse(xml: string): this;
  }
}
