// The replies of the service to a page.

export interface Replied {
  path: string;
  body: string;
  status: number;
  reply: string;
}

/** Runs in the page: tells each reply of the service. Chromium tells no body of such a request to who drives it. */
export function tellReplies() {
  const send = window.fetch;
  window.fetch = async (...given) => {
    const request = new Request(...given);
    const body = await request.clone().text();
    const response = await send(request);
    const reply = await response.clone().text();
    const { tellReply } = window as unknown as { tellReply(replied: Replied): Promise<void> };
    void tellReply({ path: new URL(request.url).pathname, body, status: response.status, reply });
    return response;
  };
}
