const { DOKIMA_URL = 'http://localhost:3000', DOKIMA_API_KEY } = process.env;
export const projectId = process.env.DOKIMA_PROJECT_ID;

/** Calls the API and returns the parsed answer. Throws the API's error if the request is refused. */
export const api = async (method, path, body) => {
  const response = await fetch(`${DOKIMA_URL}/api/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${DOKIMA_API_KEY}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
};
