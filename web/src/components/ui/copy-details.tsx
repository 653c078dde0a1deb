import { useEffect, useState, type ComponentType } from 'react'

/** Copies time, code and request id of an error; stands beside every error. Its code is loaded with the toasts. */
export function CopyDetails({ error }: { error: unknown }) {
  // not a `lazyComponent`, which shows errors by this component; an error is told without it, too
  const [Button, setButton] = useState<ComponentType<{ error: unknown }>>()
  useEffect(() => {
    import('./copy-details-button.tsx').then(
      ({ CopyDetailsButton }) => setButton(() => CopyDetailsButton),
      () => undefined,
    )
  }, [])
  return Button && <Button error={error} />
}
