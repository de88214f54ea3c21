/** The client's function for an endpoint: `users-get` is `usersGet`. */
export const functionNameOf = (endpoint: string): string =>
  endpoint.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
