export type AttachmentStore = { placeholder: true };
export const openStore = async (_config: unknown): Promise<AttachmentStore> => ({ placeholder: true });
