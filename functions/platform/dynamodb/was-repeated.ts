/**
 * Whether the SDK's client sent a call more than once. What the answer tells is then about the last time: the first may have taken effect
 * with its answer lost, so that a condition fails on one's own write, something was added twice, or the value before is one's own.
 * @param result of a call, or its error
 */
export function wasRepeated(result: unknown): boolean {
  const { $metadata } = (result ?? {}) as { $metadata?: { attempts?: number } }
  return ($metadata?.attempts ?? 1) > 1
}
