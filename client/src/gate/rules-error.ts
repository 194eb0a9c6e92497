/** An error in the rules of a gate, or in the run that they name: what is wrong, and the next step. */
export class RulesError extends Error {
  readonly next: string | undefined;

  constructor(message: string, next?: string) {
    super(message);
    this.name = 'RulesError';
    this.next = next;
  }
}
