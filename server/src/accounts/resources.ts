import { uuidId } from '../platform/http/ids.ts';
import { resource } from '../platform/http/resource-routes.ts';

export const member = resource('userId', 'member', uuidId);
