import { lazy, Suspense, useState, type ComponentProps, type ComponentType, type ReactNode } from 'react'

/**
 * A part of the page with code of its own, loaded ahead of its need or with it. Once it is there it is shown at once; `lazy` alone
 * would show its placeholder for a moment even then.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder: ReactNode,
) {
  let loaded: ComponentType<Props> | undefined
  const component = () =>
    load().then((known) => {
      loaded = known
      return { default: known }
    })
  const Lazy = lazy(component)
  function Deferred(props: Props) {
    // the same one as long as it stands: its state must survive
    const [Known] = useState(() => loaded)
    if (Known) return <Known {...props} />
    return (
      <Suspense fallback={placeholder}>
        <Lazy {...(props as ComponentProps<typeof Lazy>)} />
      </Suspense>
    )
  }
  /** Loads it now; a failure is met again when it is shown. */
  const preload = (): Promise<void> =>
    component().then(
      () => undefined,
      () => undefined,
    )
  return { Deferred, preload }
}
