import type { Sql } from '../../platform/db/database.ts';
import { ApiError, payloadTooLarge } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findUsedBytes } from './queries.ts';

/** Sizes that the operator sets. A quota of 0 means no quota. */
export type AttachmentLimits = { largestBytes: number; quotaBytes: number };

const megabyte = 1024 ** 2;

export const attachmentLimits = (settings: {
  DOKIMA_MAX_ATTACHMENT_MB: number;
  DOKIMA_ATTACHMENT_QUOTA_MB: number;
}): AttachmentLimits => ({
  largestBytes: settings.DOKIMA_MAX_ATTACHMENT_MB * megabyte,
  quotaBytes: settings.DOKIMA_ATTACHMENT_QUOTA_MB * megabyte,
});

/** Throws 413 when a file exceeds the maximum size, or the rest of the organization's quota. */
export const requireWithinLimits = async (
  tx: Sql,
  scope: Scope,
  sizeBytes: number,
  { largestBytes, quotaBytes }: AttachmentLimits,
): Promise<void> => {
  if (sizeBytes > largestBytes) throw payloadTooLarge(largestBytes, 'The attachment');
  if (quotaBytes === 0) return;
  const usedBytes = (await findUsedBytes(tx, scope))[0]!.bytes;
  if (usedBytes + sizeBytes <= quotaBytes) return;
  throw new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The attachments of the organization use ${usedBytes} of at most ${quotaBytes} bytes. Delete some, or ask the operator for a higher limit.`,
    { details: { quotaBytes, usedBytes } },
  );
};
