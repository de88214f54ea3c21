/** An error that the user can correct. The command prints only its message, on one line. */
export class UserError extends Error {}
