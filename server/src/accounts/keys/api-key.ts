import { hash, randomBytes } from 'node:crypto';

/** 32 random bytes: too many to guess, so the stored hash needs neither salt nor stretching. */
export const newApiKey = (): string => `ak_${randomBytes(32).toString('base64url')}`;
export const hashApiKey = (key: string): Buffer => hash('sha256', key, 'buffer');
/** The first characters of a key, shown so that people can tell keys apart. */
export const apiKeyPrefix = (key: string): string => key.slice(0, 9);
