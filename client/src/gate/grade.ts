/** A judge's calibration as a sentence that begins with its grade, in the words of the pages. A better grade stands in the sentence itself. */
export const gradedSentence = ({ grade, sentence }: { grade: string; sentence: string }): string =>
  grade === 'unusable' ? `unusable: ${sentence}` : sentence;
