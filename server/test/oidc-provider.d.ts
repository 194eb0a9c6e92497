/** The part of `oidc-provider` that identity.ts uses; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Context = { path: string; body: { id_token?: string }; oidc: { provider: Provider } };
  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
    ): Promise<void>;
    Grant: new (of: {
      clientId: string;
      accountId: string;
    }) => { addOIDCScope: (scope: string) => void; save: () => Promise<string> };
  }
}
