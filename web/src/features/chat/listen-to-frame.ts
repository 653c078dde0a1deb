import type { RefObject } from 'react'

/**
 * Listens for the messages of a sandboxed frame. They are untrusted: any property may be missing or have another type.
 * @returns the function that stops it
 */
export function listenToFrame<Message>(
  frame: RefObject<HTMLIFrameElement | null>,
  onMessage: (message: Partial<Message> | null) => void,
): () => void {
  const listen = (event: MessageEvent<Partial<Message> | null>) => {
    // the frame is identified by its window, because it has no origin; checked before `data`, which may be expensive to read
    if (event.source && event.source === frame.current?.contentWindow) onMessage(event.data)
  }
  addEventListener('message', listen)
  return () => removeEventListener('message', listen)
}
