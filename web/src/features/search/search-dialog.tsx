import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { CornerDownLeft, Search } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { preventDefault } from '../../components/ui/overlay.ts'
import { findComposerToFocus } from '../../lib/input/focus-targets.ts'
import { isEnter } from '../../lib/input/keys.ts'
import { useIsDeleting } from '../../lib/actions/running-actions.ts'
import { bind } from '../../lib/input/text-input.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { OptionLine } from './option-line.tsx'
import { listOptions, type Destination, type SearchOption } from './search-options.ts'
import type { SearchService } from './search-service.ts'
import { useSearch, type ShownResults } from './use-search.ts'
import { Dialog as Radix } from 'radix-ui'
import { giveFocus } from '../../components/ui/focus-return.ts'
import { Status } from '../../components/ui/status.tsx'
import { BlockApps } from '../../lib/browser/app-blockers.ts'

/** What was typed while the dialog was loaded. */
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
  projectNames: ReadonlyMap<string, string>
  /** the search service of the signed-in user; must be stable */
  getService: () => SearchService
  /** called once: what was typed while the code of this dialog loaded; undefined if it had loaded before */
  readEarlyInput: () => EarlyInput | undefined
}

/** Ctrl/⌘ K: searches conversations, messages and pages while typing. */
export function SearchDialog({
  onClose,
  onOpenConversation,
  destinations,
  projectNames,
  getService,
  readEarlyInput,
}: SearchDialogProps) {
  const id = useId()
  const [earlyInput] = useState(readEarlyInput)
  const opener = useRef(earlyInput ? earlyInput.opener : document.activeElement)
  /** what gets the focus after closing: the composer, or the found message */
  const chosenTarget = useRef<'composer' | 'message'>(undefined)
  const [openedAt] = useState(() => new Date())
  const input = useInput(useId(), { stored: earlyInput?.text ?? '', onLeave: 'forget' })
  const query = input.value
  const { loadStatus, retryLoading, results, showMore } = useSearch(query, getService)
  const options = listOptions(query, { destinations, results, isDeleting: useIsDeleting() })
  const [activeIndex, setActiveIndex] = useActiveIndex(results, options.length)

  const open = (option: Exclude<SearchOption, { kind: 'more' }>) => {
    if (option.kind === 'hit')
      chosenTarget.current = option.hit.messageId === undefined ? 'composer' : 'message'
    onClose()
    if (option.kind === 'hit') onOpenConversation(option.hit.sessionId, option.hit.messageId)
    else option.destination.onSelect()
  }
  const choose = (option: SearchOption | undefined) => {
    if (option?.kind === 'more') showMore()
    else if (option) open(option)
  }
  const setEnteredQuery = useEnteredQuery(results, () => {
    const [first] = options
    if (first && first.kind !== 'more') open(first)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined && options.length > 0) {
      event.preventDefault()
      const next = (activeIndex + move + options.length) % options.length
      setActiveIndex(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (isEnter(event)) {
      event.preventDefault()
      if (results.query === query) choose(options[activeIndex])
      else setEnteredQuery(query)
    }
  }
  const findFocusTarget = () => {
    if (chosenTarget.current === 'message') return null
    return (chosenTarget.current ? findComposerToFocus() : null) ?? opener.current
  }

  return (
    <SearchFrame onClose={onClose} findFocusTarget={findFocusTarget}>
      <SearchBar>
        <input
          role="combobox"
          aria-label={t`Search conversations and pages`}
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={options.length > 0 ? `${id}-${activeIndex}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={t`Search conversations and pages`}
          {...bind(input, { onInput: () => setEnteredQuery(undefined) })}
          onKeyDown={onKeyDown}
          className="h-14 min-w-0 flex-1 bg-transparent text-base outline-none"
        />
      </SearchBar>
      <OptionList
        id={id}
        options={options}
        activeIndex={activeIndex}
        projectNames={projectNames}
        now={openedAt}
        onActivate={setActiveIndex}
        onChoose={choose}
      />
      <SearchFooter
        status={loadStatus}
        isEmpty={query.trim() !== '' && results.query === query && results.isComplete && options.length === 0}
        query={query.trim()}
        onRetry={retryLoading}
      />
    </SearchFrame>
  )
}

/** The option that is active: the first one of new results, until the user chooses another. What is active stays when more is shown. */
function useActiveIndex(results: ShownResults, optionCount: number) {
  const [index, setIndex] = useState(0)
  const [lastResults, setLastResults] = useState(results)
  if (results !== lastResults) {
    setLastResults(results)
    if (!results.isExtended) setIndex(0)
  }
  return [Math.min(index, optionCount - 1), setIndex] as const
}

/**
 * For Enter before the results of the query are there.
 * @param openFirst called when they are
 * @returns sets the query for which Enter was pressed; undefined when the query has changed since
 */
function useEnteredQuery(results: ShownResults, openFirst: () => void) {
  const [enteredQuery, setEnteredQuery] = useState<string>()
  const onResults = useEffectEvent(openFirst)
  useEffect(() => {
    if (enteredQuery !== undefined && enteredQuery === results.query) onResults()
  }, [enteredQuery, results])
  return setEnteredQuery
}

/** The results. The input of the dialog keeps the focus and says by `aria-activedescendant` which one is active. */
function OptionList({
  id,
  options,
  activeIndex,
  projectNames,
  now,
  onActivate,
  onChoose,
}: Pick<SearchDialogProps, 'projectNames'> & {
  /** the prefix of the ids of the list and its options */
  id: string
  options: readonly SearchOption[]
  activeIndex: number
  now: Date
  onActivate: (index: number) => void
  onChoose: (option: SearchOption) => void
}) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label={t`Results`}
      className="min-h-0 overflow-y-auto p-2 scroll-quiet"
    >
      {options.map((option, index) => (
        <button
          type="button"
          tabIndex={-1}
          key={`${option.kind}-${option.key}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === activeIndex}
          // the input keeps the focus
          onMouseDown={preventDefault}
          onPointerMove={() => onActivate(index)}
          onClick={() => onChoose(option)}
          className={clsx(
            'flex min-h-11 w-full items-center gap-3 text-start rounded-md px-3 py-2',
            index === activeIndex &&
              'bg-surface-hover forced-colors:outline-2 forced-colors:-outline-offset-2',
          )}
        >
          <OptionLine option={option} projectNames={projectNames} now={now} />
          {index === activeIndex && (
            <CornerDownLeft aria-hidden size={16} className="shrink-0 text-ink-faint max-sm:hidden" />
          )}
        </button>
      ))}
    </div>
  )
}

interface SearchFrameProps {
  onClose: () => void
  /** where the focus moves on close; null if it is moved elsewhere */
  findFocusTarget: () => Element | null
  children: ReactNode
}

/** The dialog around the search; the whole window below 640 px. */
function SearchFrame({ onClose, findFocusTarget, children }: SearchFrameProps) {
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
            {children}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The line of the search field, with the button that closes the dialog. */
function SearchBar({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 border-b border-line px-4">
      <Search aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-ink-faint" />
      {children}
      <Radix.Close
        aria-label={t`Close, Esc`}
        className="rounded-chip px-2 py-1 text-xs text-ink-muted hover:bg-surface-hover max-sm:h-11"
      >
        <span className="max-sm:hidden">{t`Esc`}</span>
        <span className="sm:hidden">{t`Close`}</span>
      </Radix.Close>
    </div>
  )
}

/** How loading the conversations goes, and that nothing was found. */
function SearchFooter({
  status,
  isEmpty,
  query,
  onRetry,
}: {
  status: 'loading' | 'ready' | 'failed'
  /** whether the query was searched, and nothing found */
  isEmpty: boolean
  query: string
  onRetry: () => void
}) {
  return (
    <Status className="px-5 text-sm text-ink-muted *:pb-4">
      {status === 'failed' && (
        <p>
          {t`Your conversations could not be loaded.`}{' '}
          <button type="button" className="link font-medium" onClick={onRetry}>
            {t`Try again`}
          </button>
        </p>
      )}
      {status === 'loading' && <p>{t`Loading your conversations…`}</p>}
      {status === 'ready' && isEmpty && <p className="wrap-anywhere">{t`Nothing found for “${query}”.`}</p>}
    </Status>
  )
}
