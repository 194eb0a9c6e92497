import { describe, expect, it } from 'vitest';
import { type Attached, attachmentIds, mediaDigests, placeMedia, takeMedia } from './media.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const fileOf = (sizeBytes: number): Attached =>
  new Map([
    [id, { mediaType: 'image/png', sizeBytes, sha256: 'of it', read: async () => Buffer.from('pixels') }],
  ]);
const inOutputs = `{"image":"attachment:${id}"}`;

describe('files in a record', () => {
  it('leave everything else of the JSON text as it was sent', () => {
    const outputs =
      '{"n": 1.10, "image": "data:image\\/png;base64,aGk\\/aGk=", "plain": "data:text/plain;base64,aGk="}';
    const { texts, found } = takeMedia({ outputs }, 'nonce');
    expect(texts.outputs).toBe(
      '{"n": 1.10, "image": "[media-nonce-1]", "plain": "data:text/plain;base64,aGk="}',
    );
    expect(found).toMatchObject([{ base64: 'aGk/aGk=', shown: { mediaType: 'image/png' } }]);
  });

  it('are attachments only where a whole value names one', () => {
    expect(attachmentIds([inOutputs, `{"a":"see attachment:${id}"}`, '{"a":"attachment:1"}'])).toEqual([id]);
  });

  it('change the hash by their content, and a record without files keeps its own', () => {
    expect(mediaDigests(['{"a":"plain"}'])).toEqual([]);
    expect(mediaDigests([inOutputs], fileOf(1))).toEqual(['media', `${id} of it`]);
    expect(mediaDigests([inOutputs])).toEqual(['media', `${id} missing`]);
  });

  it.each([
    [15_000_000, { content: ['a [image 1]', { mediaType: 'image/png', base64: 'cGl4ZWxz' }] }],
    [15_000_001, { reason: 'media_limit: the files have 15000001 bytes, and at most 15000000 are sent' }],
  ])('of %i bytes together are sent or not', async (sizeBytes, expected) => {
    const attached = fileOf(sizeBytes);
    const { found } = takeMedia({ outputs: inOutputs }, 'nonce', attached);
    const placed = await placeMedia('a [media-nonce-1]', found, { attached, kind: 'openai' });
    expect(placed).toMatchObject(expected);
  });

  it('of many megabytes are read, and a flood of small ones does not hold up the service', () => {
    const large = JSON.stringify({ a: `data:image/png;base64,${'Ab0/'.repeat(3_500_000)}`, b: 'after' });
    const { texts, found } = takeMedia({ outputs: large.replaceAll('/', '\\/') }, 'nonce');
    expect(texts.outputs).toBe('{"a":"[media-nonce-1]","b":"after"}');
    expect(found[0]!.shown!.sizeBytes).toBe(10_500_000);
    const flood = JSON.stringify({ a: 'data:image/png;base64,AAAA '.repeat(1_001) });
    const flooded = takeMedia({ outputs: flood }, 'nonce').texts.outputs;
    expect(flooded.match(/\[media-nonce-1\]/g)).toHaveLength(1_000);
  });

  it('are not sent where the template does not show them', async () => {
    const { found } = takeMedia({ outputs: inOutputs }, 'nonce');
    const placed = await placeMedia('no file here', found, { kind: 'openai' });
    expect(placed).toEqual({ content: 'no file here', text: 'no file here', media: [] });
  });
});
