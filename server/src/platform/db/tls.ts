import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';

const readAuthority = (file: string) => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`sslrootcert in DATABASE_URL can't be read: ${(error as Error).message}`);
  }
};

/**
 * Reads the parameters of a database's URL that ask for a verified server, as libpq does: `sslmode=verify-full` (verify-ca is the same
 * here) and `sslrootcert`, a file with the certificate of its authority. Returns the URL without them. postgres.js 3.4.9 hands the
 * file's name to the server, which refuses it, and checks the certificate of an address for the name "localhost".
 */
export const readTls = (url: string): { url: string; ssl?: ConnectionOptions } => {
  const [address = '', query = ''] = url.split('?', 2);
  const params = new URLSearchParams(query);
  const [mode, authority] = [params.get('sslmode'), params.get('sslrootcert')];
  if (!mode?.startsWith('verify-') && !authority) return { url };
  params.delete('sslmode');
  params.delete('sslrootcert');
  const rest = params.size > 0 ? `${address}?${params}` : address;
  // As user:password@one:5432,[::1]:5432/database; the class URL refuses several servers.
  const hosts = /^\w+:\/\/(?:.*@)?([^/]*)/.exec(address)?.[1] ?? '';
  const addresses = hosts.split(',').map((host) => host.replace(/:\d+$/, '').replace(/[[\]]/g, ''));
  return {
    url: rest,
    ssl: {
      ...(authority && authority !== 'system' && { ca: readAuthority(authority) }),
      // TLS checks the name that the connection uses; it gets no name for an address.
      checkServerIdentity: (name, certificate) => {
        if (addresses.includes(name)) return checkServerIdentity(name, certificate);
        const errors = addresses
          .filter((one) => isIP(one))
          .map((one) => checkServerIdentity(one, certificate));
        return errors.some((error) => error === undefined) ? undefined : (errors[0] ?? new Error('no name'));
      },
    },
  };
};
