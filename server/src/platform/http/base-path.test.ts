import { describe, expect, it } from 'vitest';
import { openApp } from '../../../test/opened.ts';
import { readConfig } from '../../config.ts';
import { withoutBasePath } from './base-path.ts';

const { own, app } = await openApp({ DOKIMA_PUBLIC_URL: 'https://a.example/tools/dokima' });

describe('the path of DOKIMA_PUBLIC_URL', () => {
  it.each([
    ['/dokima', '/'],
    ['/dokima/', '/'],
    ['/dokima?a=1', '/?a=1'],
    ['/dokima/api/v2/me?next=/dokima', '/api/v2/me?next=/dokima'],
    ['/api/v2/me', '/api/v2/me'],
    ['/dokimastic', '/dokimastic'],
  ])('%s is read as %s', (url, path) => expect(withoutBasePath('/dokima')(url)).toBe(path));

  it.each(['/api', '/projects/x', '/a b', '/a//b'])('cannot be %s', (path) => {
    expect(() => readConfig({ DOKIMA_PUBLIC_URL: `https://a.example${path}` })).toThrow(
      'DOKIMA_PUBLIC_URL must',
    );
  });

  it('is the path of the cookies of a sign-in, and of links', async () => {
    const email = 'a@example.org';
    const { id } = (await own.api('POST', '/members', { name: 'A', email, role: 'admin' })).body;
    const { url } = (await own.api('POST', `/members/${id}/sign-in-links`)).body;
    expect(url).toMatch(/^https:\/\/a\.example\/tools\/dokima\/welcome#/);
    const { headers } = await app.app.inject({
      method: 'POST',
      url: '/tools/dokima/api/v2/sign-in-links/redeem',
      payload: { token: url.split('#')[1], password: 'correct horse battery' },
    });
    expect(headers['set-cookie']).toMatch(
      /^__Secure-dokima_session=[\w-]{43}; Path=\/tools\/dokima; HttpOnly; SameSite=Lax; Secure;/,
    );
  });
});
