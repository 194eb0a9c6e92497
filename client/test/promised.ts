/** What everywhere.js returns in every runtime. */
export const promised = {
  most: 4,
  records: 102,
  right: 102,
  uploaded: ['uploaded', 2],
  refused: ['NOT_FOUND', 404, true],
};
