// One e-mail address without a name, as RFC 5321 has it, without quoted local parts. Its domain has at least one dot.
const charactersMax = 254;
const address =
  /^(?!\.)(?!.*\.\.)[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}(?<!\.)@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

export const isMailAddress = (text: string): boolean => text.length <= charactersMax && address.test(text);
