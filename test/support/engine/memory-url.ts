/** The endpoint of the engines in the memory of this process. Every other address is a server. */
export const memoryUrl = "http://aws.in-memory";
