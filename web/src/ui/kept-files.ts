/** What this browser keeps that is too large for local storage: files and long texts. */

const storeName = 'files';

const openDatabase = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('dokima', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Carries out one request. A browser may refuse to store anything, as in a private window: the page then works without. */
const ask = async <Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> => {
  try {
    const database = await openDatabase();
    return await new Promise<Result>((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      const request = act(transaction.objectStore(storeName));
      transaction.oncomplete = () => {
        database.close();
        resolve(request.result);
      };
      transaction.onabort = () => {
        database.close();
        reject(transaction.error);
      };
    });
  } catch {
    return undefined;
  }
};

export const keptFiles = {
  get: <Value>(name: string) => ask<Value>('readonly', (store) => store.get(name)),
  set: (name: string, value: unknown) => ask('readwrite', (store) => store.put(value, name)),
  remove: (name: string) => ask('readwrite', (store) => store.delete(name)),
  clear: () => ask('readwrite', (store) => store.clear()),
};
