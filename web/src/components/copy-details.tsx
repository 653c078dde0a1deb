import { lazy, Suspense, type ComponentType } from 'react'

// not `lazyComponent`, which shows errors by this component; an error is told without it, too
const Button = lazy<ComponentType<{ error: unknown }>>(() =>
  import('./copy-details-button.tsx').then(
    ({ CopyDetailsButton }) => ({ default: CopyDetailsButton }),
    () => ({ default: () => null }),
  ),
)

/** Copies time, code and request id of an error; stands beside every error. Its code is loaded with the toasts. */
export const CopyDetails = ({ error }: { error: unknown }) => (
  <Suspense fallback={null}>
    <Button error={error} />
  </Suspense>
)
