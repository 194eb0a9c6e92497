export const attachmentRoutes = (..._: unknown[]): void => {};
