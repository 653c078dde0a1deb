import clsx from 'clsx'
import { CornerDownLeft, MessageSquareText, Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { returnFocus } from '../../components/ui/tooltip.tsx'
import { findComposer } from '../../lib/restore-focus.ts'
import { fullTime, updatedLabel } from '../../lib/dates.ts'
import type { Hit, Mark } from './search-index.ts'
import type { SearchService } from './search-service.ts'

/** A page, or something the page can do, that is found by its name. */
interface Destination {
  label: string
  icon: ReactNode
  onSelect: () => void
}

interface SearchDialogProps {
  onClose: () => void
  onOpenConversation: (id: string, messageId?: string) => void
  destinations: readonly Destination[]
  /** the search over conversations and what is in them, which lives as long as somebody is signed in */
  getService: () => SearchService
}

type Option =
  { kind: 'hit'; key: string; hit: Hit } | { kind: 'destination'; key: string; destination: Destination }

/** Ctrl/⌘ K: searches one's own conversations, word by word while one types, and the pages. */
export function SearchDialog({ onClose, onOpenConversation, destinations, getService }: SearchDialogProps) {
  const id = useId()
  const opener = useRef(document.activeElement)
  /** what was chosen takes the focus: the composer, or the message by itself */
  const chosenTarget = useRef<'composer' | 'message'>(undefined)
  const [openedAt] = useState(() => new Date())
  const [query, setQuery] = useState('')
  const [loaded, setLoaded] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [tries, setTries] = useState(0)
  /** what was found, and for which words */
  const [found, setFound] = useState<{ query: string; hits: readonly Hit[] }>({ query: '', hits: [] })
  /** Enter was pressed before anything was found for these words: the first that is found opens */
  const [enteredFor, setEnteredFor] = useState<string>()
  const [chosen, setChosen] = useState(0)

  useEffect(() => {
    const own = new AbortController()
    getService()
      .refresh(own.signal)
      .then(
        () => setLoaded('ready'),
        () => {
          if (!own.signal.aborted) setLoaded('failed')
        },
      )
    return () => own.abort()
  }, [getService, tries])
  useEffect(() => {
    let current = true
    void getService()
      .search(query)
      .then((hits) => {
        if (!current || !hits) return
        setFound({ query, hits })
        setChosen(0)
      })
    return () => {
      current = false
    }
  }, [getService, query, loaded])

  const wanted = query.trim().toLowerCase()
  const options: Option[] = [
    ...destinations
      .filter(({ label }) => label.toLowerCase().includes(wanted))
      .map((destination) => ({ kind: 'destination' as const, key: destination.label, destination })),
    ...found.hits.map((hit) => ({ kind: 'hit' as const, key: hit.sessionId, hit })),
  ]
  // what is looked for by words is more often said than visited
  const ordered =
    wanted === '' ? options : options.toSorted((a, b) => Number(b.kind === 'hit') - Number(a.kind === 'hit'))
  const at = Math.min(chosen, ordered.length - 1)

  const take = (option: Option | undefined) => {
    if (!option) return
    if (option.kind === 'hit')
      chosenTarget.current = option.hit.messageId === undefined ? 'composer' : 'message'
    onClose()
    if (option.kind === 'hit') onOpenConversation(option.hit.sessionId, option.hit.messageId)
    else option.destination.onSelect()
  }
  const takeFirst = useEffectEvent(() => take(ordered[0]))
  useEffect(() => {
    if (enteredFor !== undefined && enteredFor === found.query) takeFirst()
  }, [enteredFor, found])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined && ordered.length > 0) {
      event.preventDefault()
      const next = (at + move + ordered.length) % ordered.length
      setChosen(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (found.query === query) take(ordered[at])
      else setEnteredFor(query)
    }
  }

  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-(--z-dialog) flex animate-fade justify-center bg-scrim p-6 pt-[12dvh] max-sm:p-0">
          <Radix.Content
            aria-describedby={undefined}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              if (chosenTarget.current === 'message') return
              const target = (chosenTarget.current ? findComposer() : null) ?? opener.current
              if (target instanceof HTMLElement) returnFocus(target)
            }}
            className="flex h-fit max-h-[min(70dvh,36rem)] w-full max-w-(--width-dialog-wide) animate-rise flex-col overflow-hidden rounded-lg bg-surface-overlay text-ui shadow-dialog outline outline-line max-sm:h-dvh max-sm:max-h-none max-sm:rounded-none"
          >
            <Radix.Title className="sr-only">Search</Radix.Title>
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-ink-faint" />
              <input
                role="combobox"
                aria-label="Search conversations and pages"
                aria-expanded={ordered.length > 0}
                aria-controls={`${id}-list`}
                aria-activedescendant={ordered.length > 0 ? `${id}-${at}` : undefined}
                aria-autocomplete="list"
                autoComplete="off"
                spellCheck={false}
                placeholder="Search conversations and pages"
                value={query}
                onChange={(event) => {
                  setQuery(event.target.value)
                  setEnteredFor(undefined)
                }}
                onKeyDown={onKeyDown}
                className="h-14 min-w-0 flex-1 bg-transparent text-base outline-none"
              />
              <Radix.Close
                aria-label="Close, Esc"
                className="rounded-[6px] px-2 py-1 text-xs text-ink-muted hover:bg-surface-hover max-sm:h-11"
              >
                <span className="max-sm:hidden">Esc</span>
                <span className="sm:hidden">Close</span>
              </Radix.Close>
            </div>
            <div
              id={`${id}-list`}
              role="listbox"
              aria-label="Results"
              className="min-h-0 flex-1 overflow-y-auto p-2 scroll-quiet"
            >
              {ordered.map((option, index) => (
                <button
                  type="button"
                  tabIndex={-1}
                  key={`${option.kind}-${option.key}`}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  onPointerMove={() => setChosen(index)}
                  onClick={() => take(option)}
                  className={clsx(
                    'flex min-h-11 w-full items-center gap-3 text-left rounded-md px-3 py-2',
                    index === at && 'bg-surface-hover',
                  )}
                >
                  {option.kind === 'hit' ? (
                    <HitLine hit={option.hit} now={openedAt} />
                  ) : (
                    <DestinationLine {...option.destination} />
                  )}
                  {index === at && (
                    <CornerDownLeft aria-hidden size={16} className="shrink-0 text-ink-faint max-sm:hidden" />
                  )}
                </button>
              ))}
            </div>
            <Foot
              state={loaded}
              empty={wanted !== '' && ordered.length === 0}
              query={query.trim()}
              onRetry={() => {
                setLoaded('loading')
                setTries(tries + 1)
              }}
            />
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Foot({
  state,
  empty,
  query,
  onRetry,
}: {
  state: 'loading' | 'ready' | 'failed'
  empty: boolean
  query: string
  onRetry: () => void
}) {
  return (
    <div role="status" className="px-5 text-sm text-ink-muted *:pb-4">
      {state === 'failed' ? (
        <p>
          Your conversations could not be loaded.{' '}
          <button type="button" className="link font-medium" onClick={onRetry}>
            Retry
          </button>
        </p>
      ) : state === 'loading' ? (
        <p>Loading your conversations...</p>
      ) : (
        empty && <p className="[overflow-wrap:anywhere]">Nothing found for “{query}”.</p>
      )}
    </div>
  )
}

function HitLine({ hit, now }: { hit: Hit; now: Date }) {
  const updatedAt = new Date(hit.updatedAt)
  return (
    <>
      <MessageSquareText aria-hidden size={16} className="shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium" dir="auto">
          <Marked text={hit.title} marks={hit.titleMarks} />
        </span>
        {hit.snippet && (
          <span className="block truncate text-sm text-ink-muted" dir="auto">
            <Marked {...hit.snippet} />
          </span>
        )}
      </span>
      {hit.archived && <span className="shrink-0 text-xs text-ink-muted">Archived</span>}
      <time
        dateTime={hit.updatedAt}
        title={fullTime(updatedAt)}
        className="shrink-0 text-xs text-ink-faint max-sm:hidden"
      >
        {updatedLabel(updatedAt, now)}
      </time>
    </>
  )
}

function DestinationLine({ label, icon }: Destination) {
  return (
    <>
      <span className="text-ink-faint">{icon}</span>
      <span className="flex-1">{label}</span>
    </>
  )
}

/** Marks what was found. */
function Marked({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const parts: ReactNode[] = []
  let at = 0
  for (const [from, to] of marks) {
    parts.push(
      text.slice(at, from),
      <mark key={from} className="rounded-[3px] bg-accent-soft text-accent-ink">
        {text.slice(from, to)}
      </mark>,
    )
    at = to
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  )
}
