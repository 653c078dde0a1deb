import type { RefObject } from 'react'

/** The properties that any of the messages has. */
type PropertyName<Message> = Message extends unknown ? keyof Message : never
/** A message of a frame, which is untrusted: any property may be missing or have another type. */
type UntrustedMessage<Message> = Partial<Record<PropertyName<Message>, unknown>>

/** Listens for the messages of a sandboxed frame. @returns the function that stops it */
export function listenToFrame<Message>(
  frame: RefObject<HTMLIFrameElement | null>,
  onMessage: (message: UntrustedMessage<Message> | null) => void,
): () => void {
  const listen = (event: MessageEvent<UntrustedMessage<Message> | null>) => {
    // the frame is identified by its window, because it has no origin; checked before `data`, which may be expensive to read
    if (event.source && event.source === frame.current?.contentWindow) onMessage(event.data)
  }
  addEventListener('message', listen)
  return () => removeEventListener('message', listen)
}
