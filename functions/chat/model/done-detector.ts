const tailBytes = 32

/**
 * Whether a model's stream ends as the protocol's streams do, with `data: [DONE]`, cut into pieces anywhere: the client library keeps that
 * to itself, and some servers give no other sign that their answer is whole.
 */
export function endWatcher() {
  let tail = ''
  return {
    /** told all bytes as they come */
    hear: (bytes: Uint8Array) => {
      tail = (tail + Buffer.from(bytes.subarray(-tailBytes)).toString('latin1')).slice(-tailBytes)
    },
    isDone: () => /(^|\n)data: ?\[DONE\]\s*$/.test(tail),
  }
}
