import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { CornerDownLeft } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react'
import { preventDefault } from '../../components/ui/overlay.ts'
import { findComposerToFocus } from '../../lib/input/focus-targets.ts'
import { isEnter } from '../../lib/input/keys.ts'
import { useIsDeleting } from '../../lib/actions/running-actions.ts'
import { bind } from '../../lib/input/text-input.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { OptionLine } from './option-line.tsx'
import { SearchBar, SearchFooter, SearchFrame } from './search-frame.tsx'
import { listOptions, type Destination, type SearchOption } from './search-options.ts'
import type { SearchService } from './search-service.ts'
import { useSearch, type ShownResults } from './use-search.ts'

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
