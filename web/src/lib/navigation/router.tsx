import {
  createContext,
  startTransition,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from 'react'
import { flushSync } from 'react-dom'
import { isLeaveGuarded, requestLeave } from '../input/leave-guard.ts'

/** The page's address, with what the browser keeps beside it. */
interface RouterLocation extends Pick<Location, 'pathname' | 'search' | 'hash'> {
  state: unknown
  /** differs with each navigation, also to the same address */
  key: string
  /** Back, Forward or a page load has led here, no navigation of the page's own */
  isHistoryMove: boolean
}

interface NavigateOptions {
  replace?: boolean
  state?: unknown
  /** renders before the call returns; otherwise the page before is shown until the next one has loaded */
  flushSync?: boolean
}

interface RouterValue {
  location: RouterLocation
  navigate: (to: string, options?: NavigateOptions) => void
}

export const RouterContext = createContext<RouterValue | null>(null)

/** The state of an entry of the history, by the names of React Router, which wrote those that tabs of version 1.1 have. */
interface EntryState {
  usr?: unknown
  key?: string
  /** the position in the tab's history */
  idx?: number
}
const readState = () => Object(history.state) as EntryState

function readLocation(isHistoryMove: boolean): RouterLocation {
  const { pathname, search, hash } = location
  const { usr = null, key = 'default' } = readState()
  return { pathname, search, hash, state: usr, key, isHistoryMove }
}

/** Shows what belongs to the address. Asks the user before unsaved work would be lost. */
export function Router({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(() => {
    if (readState().idx === undefined) history.replaceState({ ...readState(), idx: 0 }, '')
    return readLocation(true)
  })
  const index = useRef(readState().idx)
  /** history steps of this component itself, which are not guarded */
  const ownSteps = useRef<number[]>([])
  const step = (delta: number) => {
    ownSteps.current.push(delta)
    history.go(delta)
  }
  const onHistoryMove = useEffectEvent(() => {
    const entry = readLocation(true)
    const delta = (readState().idx ?? NaN) - (index.current ?? NaN)
    index.current = readState().idx
    const isOwn = ownSteps.current[0] === delta
    if (isOwn) ownSteps.current.shift()
    // the page that is shown may not be the latest entry while a transition is pending
    const isShown = entry.key === shown.key && entry.pathname === shown.pathname
    if (!delta || isOwn || isShown || !isLeaveGuarded()) return startTransition(() => setShown(entry))
    // the browser has navigated already: go back to the entry that is still shown
    step(-delta)
    requestLeave(() => step(delta))
  })
  useLayoutEffect(() => {
    addEventListener('popstate', onHistoryMove)
    return () => removeEventListener('popstate', onHistoryMove)
  }, [])

  const navigate = useCallback<RouterValue['navigate']>((to, options = {}) => {
    requestLeave(() => {
      const { idx = 0 } = readState()
      index.current = options.replace ? idx : idx + 1
      const entry: EntryState = { usr: options.state, key: crypto.randomUUID(), idx: index.current }
      history[options.replace ? 'replaceState' : 'pushState'](entry, '', to)
      const update = options.flushSync ? flushSync : startTransition
      update(() => setShown(readLocation(false)))
    })
  }, [])
  const value = useMemo(() => ({ location: shown, navigate }), [shown, navigate])
  return <RouterContext value={value}>{children}</RouterContext>
}

function useRouter(): RouterValue {
  const router = use(RouterContext)
  if (!router) throw new Error('there is no Router around this')
  return router
}
export const useLocation = () => useRouter().location
export const useNavigate = () => useRouter().navigate

/** The query of the address, and a function that replaces it. */
export function useSearchParams() {
  const { location, navigate } = useRouter()
  const { pathname, search } = location
  const setParams = useCallback(
    (next: Record<string, string> | URLSearchParams, options: NavigateOptions) => {
      const query = String(new URLSearchParams(next))
      navigate(pathname + (query && `?${query}`), options)
    },
    [navigate, pathname],
  )
  return [useMemo(() => new URLSearchParams(search), [search]), setParams] as const
}

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
  state?: unknown
}

/** A link to an address of this page. One to the address that is shown adds no entry to the history. */
export function Link({ to, state, onClick, children, ...props }: LinkProps) {
  const { location, navigate } = useRouter()
  const follow: LinkProps['onClick'] = (event) => {
    onClick?.(event)
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event
    if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    navigate(to, { replace: to === location.pathname + location.search + location.hash, state })
  }
  return (
    <a {...props} href={to} onClick={follow}>
      {children}
    </a>
  )
}

/** Leads elsewhere as soon as it is shown, in place of this entry of the history. */
export function Navigate({ to, state }: { to: string; state?: unknown }) {
  const navigate = useNavigate()
  useEffect(() => navigate(to, { replace: true, state }), [navigate, to, state])
  return null
}

const ParamsContext = createContext<Record<string, string>>({})
/** The parts of the address that the route's path names. */
export const useParams = () => use(ParamsContext)

/** @returns the parts that the path names, if it is the address's: without regard to case, or to a slash at the end */
export function matchPath(path: string, pathname: string): Record<string, string> | undefined {
  const parts = pathname.replace(/(?<=.)\/$/, '').split('/')
  const names = path.split('/')
  const params: Record<string, string> = {}
  for (const [position, name] of names.entries()) {
    if (name === '*') return params
    const part = parts[position] ?? ''
    if (name.startsWith(':') && part !== '') params[name.slice(1)] = decode(part)
    else if (name !== part.toLowerCase()) return undefined
  }
  return parts.length === names.length ? params : undefined
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Shows the first page whose path is the address's: parts like `:id` have any value, and `*` stands for any further parts. */
export function Routes({ pages }: { pages: Readonly<Record<string, ReactNode>> }) {
  const { pathname } = useLocation()
  for (const [path, page] of Object.entries(pages)) {
    const params = matchPath(path, pathname)
    if (params) return <ParamsContext value={params}>{page}</ParamsContext>
  }
  return null
}
