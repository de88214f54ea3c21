/** A reason not to start that the user can do something about: its message is shown as it is, on one line. */
export class StartError extends Error {}
