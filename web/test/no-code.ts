import type { Received } from '../../server/test/model-server.ts';

/** Mails that a model would write for the tutorial without code, none like another. */
export const writtenMails = [
  'I was charged twice for the floor lamp. Please look into it.',
  'How do I send back the desk light? The box is gone.',
  'THREE weeks and no parcel. This is ridiculous.',
  'Does the reading lamp take a bulb with a small thread?',
  'My tracking number says delivered, but nothing is here.',
  'Please cancel the second shade, I only need one.',
  'The cable is too short for our room. Is there a longer one?',
  'Your driver left the glass lamp in the rain.',
  'Which lamp do you advise for a dark hallway?',
  'I never got the discount that your newsletter promised.',
  'We moved. Can the parcel go to the new flat?',
  'There is a scratch on the brass foot.',
  'It hums when dimmed. My neighbour hears it too.',
  'Is the garden light safe when it freezes?',
  'Someone else opened an account with my address!',
  'The invoice names the wrong company.',
  'Can a friend pick it up at your store in Bergen?',
  'I want the blue one instead of the grey one.',
  'You sent me a toaster.',
  'How long is the guarantee on the ceiling lamp?',
  'hello?? anyone there',
  'The remote control does nothing at all.',
  'Would you deliver forty pieces to a school in May?',
  'A screw is missing from the bag of parts.',
  'Thank you, but the money has not come back yet.',
];

/** Names of the groups of failures in the demo's first run. */
const names = [
  'Asks to write again instead of answering',
  'Gives no answer about a return',
  'Misses small amounts to pay back',
  'Overlooks what arrived broken or never',
  'Takes the price paid for the refund',
  'Pays for all when only a part returned',
  'Loses the order number after a greeting',
];

const short = 'We are sorry to hear that and will take care of it.';
const nextStep = `${short} Our team looks at it today and writes to you by tomorrow evening.`;

/** What the model of the tutorial answers: as the shop, as the writer of testcases and of names, and as a judge that errs about parcels. */
export const modelOfTutorial = ({ system, messages }: Received) => {
  const text = `${system}\n${messages.join('\n')}`;
  if (/were put into groups/.test(text)) return { reply: { names } };
  if (/Passes if the answer/.test(text)) {
    const isNextStep = text.includes('writes to you by');
    const isStrict = /invoice|parcel/i.test(text);
    const passes = isNextStep && !isStrict;
    return {
      reply: {
        reasoning: passes ? 'It says what the team does, and by when.' : 'It names no day.',
        binaryScore: passes,
      },
    };
  }
  if (/Answer this mail/.test(text)) return { reply: /and by when/.test(text) ? nextStep : short };
  return { reply: { testcases: writtenMails.map((mail) => JSON.stringify({ mail })) } };
};
