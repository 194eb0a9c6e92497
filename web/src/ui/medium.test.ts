import { describe, expect, it } from 'vitest';
import { withoutBase64 } from '../../../client/src/without-base64.ts';
import { looksOf, mediaOf, messageText } from './looks.ts';
import { bytesOfBase64, isShown, mediumAlone, mediumOf, piecesOf, piecesOfData } from './medium.ts';

const png = `iVBORw0KGgo${'A'.repeat(80)}=`;
const wav = `${btoa('RIFF\0\0\0\0WAVEfmt')}${'A'.repeat(80)}`;
const pdf = `JVBERi0${'A'.repeat(80)}`;
const uri = (type: string, base64: string) => `data:${type};base64,${base64}`;
const outside = 'https://example.org/cat.png';

const image = { kind: 'image', mediaType: 'image/png', base64: png };
const audio = { kind: 'audio', base64: wav };
const file = { kind: 'file', mediaType: 'application/pdf', base64: pdf };
const link = { kind: 'image', url: outside };

describe('a part of a message that is a file', () => {
  it.each<[string, object, object]>([
    ['OpenAI chat, image', { type: 'image_url', image_url: { url: uri('image/png', png) } }, image],
    ['OpenAI chat, image as a text', { type: 'image_url', image_url: uri('image/png', png) }, image],
    ['OpenAI chat, address', { type: 'image_url', image_url: { url: outside, detail: 'low' } }, link],
    ['OpenAI chat, audio', { type: 'input_audio', input_audio: { data: wav, format: 'wav' } }, audio],
    [
      'OpenAI chat, file',
      { type: 'file', file: { file_data: uri('application/pdf', pdf), filename: 'a.pdf' } },
      { ...file, name: 'a.pdf' },
    ],
    [
      'OpenAI chat, file id',
      { type: 'file', file: { file_id: 'file-1' } },
      { kind: 'file', fileId: 'file-1' },
    ],
    ['OpenAI responses, image', { type: 'input_image', image_url: uri('image/png', png) }, image],
    [
      'OpenAI responses, file',
      { type: 'input_file', filename: 'a.pdf', file_data: uri('application/pdf', pdf) },
      file,
    ],
    ['OpenAI responses, made image', { type: 'image_generation_call', result: png }, image],
    [
      'Anthropic, image',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
      image,
    ],
    ['Anthropic, address', { type: 'image', source: { type: 'url', url: outside } }, link],
    [
      'Anthropic, document',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf }, title: 'A' },
      { ...file, name: 'A' },
    ],
    [
      'Anthropic, text',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Plain words.' } },
      { kind: 'file', text: 'Plain words.' },
    ],
    ['Gemini, inline', { inlineData: { mimeType: 'image/png', data: png } }, image],
    ['Gemini, inline in Python', { inline_data: { mime_type: 'audio/wav', data: wav } }, audio],
    [
      'Gemini, file',
      { fileData: { mimeType: 'video/mp4', fileUri: 'gs://bucket/a.mp4' } },
      { kind: 'video', url: 'gs://bucket/a.mp4' },
    ],
    ['OpenTelemetry, blob', { type: 'blob', modality: 'image', mime_type: 'image/png', content: png }, image],
    ['OpenTelemetry, uri', { type: 'uri', modality: 'image', uri: outside }, link],
    [
      'OpenTelemetry, file',
      { type: 'file', modality: 'audio', file_id: 'f-1' },
      { kind: 'audio', fileId: 'f-1' },
    ],
    ['Vercel AI SDK, image', { type: 'image', image: png, mediaType: 'image/png' }, image],
    ['Vercel AI SDK, address', { type: 'image', image: outside }, link],
    ['Vercel AI SDK, file', { type: 'file', data: pdf, mediaType: 'application/pdf' }, file],
    ['Vercel AI SDK, result', { type: 'media', data: png, mediaType: 'image/png' }, image],
    [
      'OpenInference',
      { message_content: { type: 'image', image: { image: { url: uri('image/png', png) } } } },
      image,
    ],
    ['Bedrock', { image: { format: 'png', source: { bytes: png } } }, image],
    ['LangChain', { type: 'image', source_type: 'base64', data: png, mime_type: 'image/png' }, image],
    ['Pydantic AI', { type: 'image-url', url: outside }, link],
  ])('%s', (_, part, expected) => {
    expect(mediumOf(part)).toMatchObject(expected);
  });

  it('is nothing that only looks like one: words, a call or an answer of a tool', () => {
    for (const part of [
      { type: 'note', content: 'Hello' },
      { type: 'text', text: uri('image/png', png) },
      { type: 'tool_use', name: 'draw', input: { image: png } },
      { type: 'weather', data: { sunny: true } },
      'text',
      null,
    ])
      expect(mediumOf(part)).toBeUndefined();
    expect(mediumAlone({ type: 'image', data: png, caption: 'A cat' })).toBeUndefined();
  });

  it('is drawn only if it is of a type that runs nothing', () => {
    const shown = (type: string) => isShown({ kind: 'image', ...mediumOf({ data: png, mediaType: type }) });
    expect(['image/png', 'image/webp', 'audio/wav', 'video/mp4'].map(shown)).toEqual(Array(4).fill(true));
    expect(['image/svg+xml', 'text/html', 'application/pdf', 'image/png<svg'].map(shown)).toEqual(
      Array(4).fill(false),
    );
  });
});

describe('a message', () => {
  const message = {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: uri('image/png', png) } },
    ],
  };

  it('says its text, and has its files beside it', () => {
    expect(messageText(message)).toBe('What is this?');
    expect(mediaOf(message)).toEqual([message.content[1]]);
    expect(looksOf([message], undefined)[0]).toBe('Chat');
  });

  it('that answers with a tool’s picture too', () => {
    const result = { type: 'tool_result', tool_use_id: 'a', content: message.content };
    expect(messageText({ role: 'user', content: [result] })).toBe('What is this?');
    expect(mediaOf({ role: 'user', content: [result] })).toEqual([message.content[1]]);
  });

  it('with a data URI among its words is cut around it', () => {
    expect(piecesOf(`See ![x](${uri('image/png', png)}) here`)).toEqual([
      'See ',
      expect.objectContaining(image),
      ' here',
    ]);
    expect(piecesOf('no file ;base64, here')).toEqual(['no file ;base64, here']);
    // Attributes of spans have messages as JSON, with base64 in a field or in a data URI.
    const long = `iVBORw0KGgo${'A'.repeat(1000)}=`;
    const json = JSON.stringify([{ data: long }, { url: uri('image/png', png) }]);
    expect(piecesOfData(json)).toEqual([
      '[{"data":"',
      { ...image, base64: long },
      '"},{"url":"',
      image,
      '"}]',
    ]);
    expect(piecesOfData('word '.repeat(400))).toHaveLength(1);
  });
});

it('a line of a list has a word in place of a file', () => {
  expect(withoutBase64(`{"url":"${uri('image/png', png)}","more":"x"}`)).toBe(
    '{"url":"[image/png]","more":"x"}',
  );
  expect(withoutBase64(`a ${'QUJD'.repeat(60)} b`)).toBe('a [base64] b');
  expect(withoutBase64('An ordinary sentence, with a/path/that/has/parts.')).toBe(
    'An ordinary sentence, with a/path/that/has/parts.',
  );
});

it('bytes are read in both alphabets of base64', () => {
  expect([...bytesOfBase64('-_8=')]).toEqual([...bytesOfBase64('+/8=')]);
  expect(bytesOfBase64('not base64!')).toHaveLength(0);
});
