import { expect, it } from 'vitest';
import { decodeProtobuf } from './decode-protobuf.ts';

/** An ExportTraceServiceRequest with every field set, as Python's opentelemetry-proto 1.45.2 encodes it. */
const request = `
CuYCChsKFwoMc2VydmljZS5uYW1lEgcKBWFnZW50EAkSwwIKEwoDbGliEgExGgcKAXMSAhgDIAkSqAIKEAECAwQFBgcICQoLDA0O
DxASCAECAwQFBgcIGgNhPWIiCAkKCwwNDg8QKgRjaGF0MAM5Fc2FPf6clxdB//////////9KDAoEdGV4dBIECgLDqUoJCgN5ZXMS
AhABShcKCG5lZ2F0aXZlEgsYgICAgICAgICAAUoVCghmcmFjdGlvbhIJIZqZmZmZmbk/Sg0KBWJ5dGVzEgQ6AgD/ShAKBGxpc3QS
CCoGCgIYBwoAShMKA21hcBIMMgoKCAoBaxIDCgF2UAFaFwkFAAAAAAAAABIBZRoHCgFhEgIYASAEYAJqMQoQAgMEBQYHCAkKCwwN
Dg8QERIIAgMEBQYHCAkaA2M9ZCIHCgFiEgIYAigFNQEAAABwA3oKEgZicm9rZW4YAoUBAQAAABoBeRoBeA==`;

it('reads every field of a request that another library has encoded', () => {
  expect([...decodeProtobuf(Buffer.from(request, 'base64'))]).toEqual([
    {
      traceId: '0102030405060708090a0b0c0d0e0f10',
      spanId: '0102030405060708',
      parentSpanId: '090a0b0c0d0e0f10',
      name: 'chat',
      kind: 3,
      start: 1_700_000_000_123_456_789n,
      end: 2n ** 64n - 1n,
      status: 2,
      statusMessage: 'broken',
      traceState: 'a=b',
      attributes: new Map<string, unknown>([
        ['text', 'é'],
        ['yes', true],
        ['negative', -(2n ** 63n)],
        ['fraction', 0.1],
        ['bytes', Buffer.from([0, 255])],
        ['list', [7n, null]],
        ['map', new Map([['k', 'v']])],
      ]),
      events: [{ name: 'e', time: 5n, attributes: new Map([['a', 1n]]), dropped: 4 }],
      links: [
        {
          traceId: '02030405060708090a0b0c0d0e0f1011',
          spanId: '0203040506070809',
          traceState: 'c=d',
          attributes: new Map([['b', 2n]]),
          dropped: 5,
        },
      ],
      droppedAttributes: 1,
      droppedEvents: 2,
      droppedLinks: 3,
      unknownFields: [],
      bytes: 296,
      source: {
        resource: new Map([['service.name', 'agent']]),
        scopeName: 'lib',
        scopeVersion: '1',
        scopeAttributes: new Map([['s', 3n]]),
        unknownFields: [],
      },
    },
  ]);
});
