import { lazy, Suspense, useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react'
import { ErrorBoundary, type FallbackProps } from './error-boundary.tsx'
import { PartError, ChunkLoadError } from './error-fallbacks.tsx'
import { reloadOnce, reloadPage } from '../lib/browser/reload-page.ts'

/** The callbacks by which dialogs, panels and editors are closed; each has one of these. */
interface Closable {
  open?: boolean
  onOpenChange?: (open: boolean) => void
  onClose?: () => void
  onCancel?: () => void
}

/** How a lazy component fails. */
interface LazyOptions {
  /** shows no error, for parts without which the page still works */
  silent?: boolean
  /** renders the error */
  fallback?: (failure: FallbackProps) => ReactNode
}

/**
 * A component whose code loads on demand or is preloaded. Once loaded, it renders at once; `lazy` alone would briefly show its
 * fallback even then. If the code does not load or the component throws, an error with "Try again" is shown, and "Close" if it can be closed.
 * If the code did not load, "Try again" reloads the page.
 * @param name of the component in the module
 * @param placeholder shown while the code loads; without one the nearest Suspense boundary shows its own
 */
export function lazyComponent<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  placeholder?: ReactNode,
  { silent = false, fallback }: LazyOptions = {},
) {
  type Props = Module[Name] extends ComponentType<infer Known extends object> ? Known : never
  let loadedComponent: ComponentType<Props> | undefined
  const loadDefault = () =>
    load().then(
      (module) => {
        loadedComponent = module[name] as ComponentType<Props>
        return { default: loadedComponent }
      },
      (cause: unknown) => {
        throw new ChunkLoadError('a part of the page could not be loaded', { cause })
      },
    )
  const Lazy = lazy(loadDefault) as ComponentType<Props>
  function Component(props: Props) {
    // a mounted component must not be replaced: its state would be lost
    const [Part] = useState<ComponentType<Props>>(() => loadedComponent ?? Lazy)
    const { open, onOpenChange, onClose, onCancel }: Closable = props
    const close = onClose ?? onCancel ?? (onOpenChange && (() => onOpenChange(false)))
    const renderFailure = ({ error, retry }: FallbackProps) => {
      const failure = { error, retry: error instanceof ChunkLoadError ? reloadPage : retry }
      return (
        <ReloadOnline error={error}>
          {silent || open === false
            ? null
            : (fallback?.(failure) ?? <PartError {...failure} close={close && (() => close())} />)}
        </ReloadOnline>
      )
    }
    const part = <Part {...props} />
    return (
      <ErrorBoundary fallback={renderFailure} resetKey={open}>
        {placeholder === undefined ? part : <Suspense fallback={placeholder}>{part}</Suspense>}
      </ErrorBoundary>
    )
  }
  /** Loads the code now. A failure is reported when the component renders. @returns whether it has loaded */
  const preload = (): Promise<boolean> =>
    loadDefault().then(
      () => true,
      () => false,
    )
  return Object.assign(Component, { preload })
}

/** Reloads the page when the browser is online again, if code could not be loaded and nothing would be lost. */
function ReloadOnline({ error, children }: { error: unknown; children: ReactNode }) {
  useLayoutEffect(() => {
    if (!(error instanceof ChunkLoadError)) return
    const reload = () => reloadOnce(String(error.cause))
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [error])
  return children
}
