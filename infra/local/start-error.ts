/** An error at the start that the user can correct. The program prints only its message, on one line. */
export class StartError extends Error {}
