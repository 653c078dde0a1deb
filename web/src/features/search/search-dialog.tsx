import { plural, t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ChevronDown, CornerDownLeft, Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react'
import { giveFocus } from '../../components/ui/focus-return.ts'
import { useIsDeleting } from '../../lib/running-actions.ts'
import { BlockApps } from '../../lib/app-blockers.ts'
import { isEnter } from '../../lib/keys.ts'
import { findComposerToFocus } from '../../lib/focus-targets.ts'
import { hasEveryTerm, parseSearch } from '../../lib/search-terms.ts'
import type { Hit, SearchResults } from './search-index.ts'
import { DestinationLine, HitLine, SearchFooter, type Destination } from './search-rows.tsx'
import type { SearchService } from './search-service.ts'
import { bind } from '../../lib/text-input.ts'
import { useInput } from '../../lib/use-input.ts'

export interface EarlyInput {
  text: string
  /** what had the focus before */
  opener: Element | null
}

interface SearchDialogProps {
  onClose: () => void
  onOpenConversation: (id: string, messageId?: string) => void
  destinations: readonly Destination[]
  /** names of the user's projects, by id */
  projectNames?: ReadonlyMap<string, string> | undefined
  /** the search service of the signed-in user */
  getService: () => SearchService
  /** what was typed while this dialog was loaded */
  early?: { readonly input: EarlyInput | undefined }
}

type Option =
  | { kind: 'hit'; key: string; hit: Hit }
  | { kind: 'destination'; key: string; destination: Destination }
  | { kind: 'more'; key: string; count: number }

/** So many conversations are listed at first, and with each request for more. */
const hitsAtOnce = 30

/** Ctrl/⌘ K: searches conversations, messages and pages while typing. */
export function SearchDialog({
  onClose,
  onOpenConversation,
  destinations,
  projectNames,
  getService,
  early,
}: SearchDialogProps) {
  const id = useId()
  const [earlyInput] = useState(early?.input)
  const opener = useRef(earlyInput ? earlyInput.opener : document.activeElement)
  /** what gets the focus after closing: the composer, or the found message */
  const chosenTarget = useRef<'composer' | 'message'>(undefined)
  const [openedAt] = useState(() => new Date())
  const input = useInput(useId(), { stored: earlyInput?.text ?? '', onLeave: 'forget' })
  const query = input.value
  const [loadStatus, setLoadStatus] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [attempt, setAttempt] = useState(0)
  /** the results and their query */
  const [results, setResults] = useState<SearchResults & { query: string }>({ query: '', hits: [], total: 0 })
  const [limit, setLimit] = useState(hitsAtOnce)
  /** the query for which Enter was pressed before its results arrived: the first one then opens */
  const [enteredQuery, setEnteredQuery] = useState<string>()
  const [selectedIndex, setSelectedIndex] = useState(0)

  useEffect(() => {
    const controller = new AbortController()
    getService()
      .refresh(controller.signal)
      .then(
        () => setLoadStatus('ready'),
        () => {
          if (!controller.signal.aborted) setLoadStatus('failed')
        },
      )
    return () => controller.abort()
  }, [getService, attempt])
  useEffect(() => {
    let isCurrent = true
    getService()
      .search(query, limit)
      .then(
        (found) => {
          if (!isCurrent || !found) return
          setResults({ query, ...found })
          // what was selected stays when more is shown
          if (limit === hitsAtOnce) setSelectedIndex(0)
        },
        () => {
          if (isCurrent) setLoadStatus('failed')
        },
      )
    return () => {
      isCurrent = false
    }
  }, [getService, query, limit, loadStatus])

  const terms = parseSearch(query)
  const isSearching = query.trim() !== ''
  const pages = destinations
    .filter(({ label, isOnlyFound = false }) =>
      isSearching ? terms.length > 0 && hasEveryTerm(label, terms) : !isOnlyFound,
    )
    .map((destination, index) => ({ kind: 'destination' as const, key: `${index}`, destination }))
  const isDeleting = useIsDeleting()
  const hits = results.hits
    .filter(({ sessionId }) => !isDeleting(sessionId))
    .map((hit) => ({ kind: 'hit' as const, key: hit.sessionId, hit }))
  const remaining = results.total - results.hits.length
  const more = remaining > 0 ? [{ kind: 'more' as const, key: '', count: remaining }] : []
  // names before what messages say
  const named = isSearching ? hits.filter(({ hit }) => hit.isInTitle) : []
  const sortedOptions: Option[] = [...named, ...pages, ...hits.slice(named.length), ...more]
  const activeIndex = Math.min(selectedIndex, sortedOptions.length - 1)

  const openOption = (option: Exclude<Option, { kind: 'more' }>) => {
    if (option.kind === 'hit')
      chosenTarget.current = option.hit.messageId === undefined ? 'composer' : 'message'
    onClose()
    if (option.kind === 'hit') onOpenConversation(option.hit.sessionId, option.hit.messageId)
    else option.destination.onSelect()
  }
  const selectOption = (option: Option | undefined) => {
    if (option?.kind === 'more') setLimit(limit + hitsAtOnce)
    else if (option) openOption(option)
  }
  const openFirst = useEffectEvent(() => {
    const [first] = sortedOptions
    if (first && first.kind !== 'more') openOption(first)
  })
  useEffect(() => {
    if (enteredQuery !== undefined && enteredQuery === results.query) openFirst()
  }, [enteredQuery, results])
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined && sortedOptions.length > 0) {
      event.preventDefault()
      const next = (activeIndex + move + sortedOptions.length) % sortedOptions.length
      setSelectedIndex(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (isEnter(event)) {
      event.preventDefault()
      if (results.query === query) selectOption(sortedOptions[activeIndex])
      else setEnteredQuery(query)
    }
  }

  const findFocusTarget = () => {
    if (chosenTarget.current === 'message') return null
    return (chosenTarget.current ? findComposerToFocus() : null) ?? opener.current
  }

  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-(--z-dialog) flex animate-fade justify-center bg-scrim p-6 pt-[12dvh] max-sm:p-0">
          <Radix.Content
            aria-describedby={undefined}
            onCloseAutoFocus={(event) => giveFocus(event, findFocusTarget())}
            className="flex h-fit max-h-[min(70dvh,36rem)] w-full max-w-(--width-dialog-wide) animate-rise flex-col overflow-hidden rounded-lg bg-surface-overlay text-ui shadow-dialog outline outline-line max-sm:h-dvh max-sm:max-h-none max-sm:rounded-none"
          >
            <BlockApps />
            <Radix.Title className="sr-only">{t`Search`}</Radix.Title>
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-ink-faint" />
              <input
                role="combobox"
                aria-label={t`Search conversations and pages`}
                aria-expanded={sortedOptions.length > 0}
                aria-controls={`${id}-list`}
                aria-activedescendant={sortedOptions.length > 0 ? `${id}-${activeIndex}` : undefined}
                aria-autocomplete="list"
                autoComplete="off"
                spellCheck={false}
                placeholder={t`Search conversations and pages`}
                {...bind(input, {
                  onInput: () => {
                    setLimit(hitsAtOnce)
                    setEnteredQuery(undefined)
                  },
                })}
                onKeyDown={onKeyDown}
                className="h-14 min-w-0 flex-1 bg-transparent text-base outline-none"
              />
              <Radix.Close
                aria-label={t`Close, Esc`}
                className="rounded-chip px-2 py-1 text-xs text-ink-muted hover:bg-surface-hover max-sm:h-11"
              >
                <span className="max-sm:hidden">{t`Esc`}</span>
                <span className="sm:hidden">{t`Close`}</span>
              </Radix.Close>
            </div>
            <div
              id={`${id}-list`}
              role="listbox"
              aria-label={t`Results`}
              className="min-h-0 overflow-y-auto p-2 scroll-quiet"
            >
              {sortedOptions.map((option, index) => (
                <button
                  type="button"
                  tabIndex={-1}
                  key={`${option.kind}-${option.key}`}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === activeIndex}
                  onPointerMove={() => setSelectedIndex(index)}
                  onClick={() => selectOption(option)}
                  className={clsx(
                    'flex min-h-11 w-full items-center gap-3 text-start rounded-md px-3 py-2',
                    index === activeIndex &&
                      'bg-surface-hover forced-colors:outline-2 forced-colors:-outline-offset-2',
                  )}
                >
                  {option.kind === 'hit' ? (
                    <HitLine
                      hit={option.hit}
                      projectName={projectNames?.get(option.hit.projectId ?? '')}
                      now={openedAt}
                    />
                  ) : option.kind === 'more' ? (
                    <>
                      <ChevronDown aria-hidden size={16} className="shrink-0 text-ink-faint" />
                      <span className="flex-1 text-ink-muted">
                        {plural(option.count, {
                          one: 'Show # more conversation',
                          other: 'Show # more conversations',
                        })}
                      </span>
                    </>
                  ) : (
                    <DestinationLine {...option.destination} />
                  )}
                  {index === activeIndex && (
                    <CornerDownLeft aria-hidden size={16} className="shrink-0 text-ink-faint max-sm:hidden" />
                  )}
                </button>
              ))}
            </div>
            <SearchFooter
              state={loadStatus}
              empty={isSearching && results.query === query && sortedOptions.length === 0}
              query={query.trim()}
              onRetry={() => {
                setLoadStatus('loading')
                setAttempt(attempt + 1)
              }}
            />
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
