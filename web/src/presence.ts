/** Input within this time shows that a person is at the page. */
const presentMs = 60_000;

let lastInputAt = Date.now();

/** Notes each input of a person from now on. */
export const noteInputs = (): void => {
  const note = () => {
    lastInputAt = Date.now();
  };
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
    window.addEventListener(event, note, { capture: true, passive: true });
};

/**
 * Returns the value of X-Requested-With. A page reads again what others change; without a person, these reads must not keep the session
 * from ending when it is idle.
 */
export const requestedBy = (): string =>
  Date.now() - lastInputAt < presentMs ? 'Dokima' : 'Dokima without a person';
