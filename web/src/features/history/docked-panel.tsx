import { useId, type KeyboardEventHandler, type ReactNode, type Ref } from 'react'
import { DocumentFlag } from '../../components/ui/document-flag.tsx'

interface DockedPanelProps {
  title: string
  onKeyDown: KeyboardEventHandler
  /** buttons beside the title */
  actions: ReactNode
  /** above the list */
  header: ReactNode
  footer: ReactNode
  /** the scroll container of the children */
  scroller: Ref<HTMLDivElement>
  children: ReactNode
}

/** The panel beside the chat: a part of the page, not a dialog. It does not trap the focus; the button of the top bar hides it. */
export function DockedPanel({
  title,
  onKeyDown,
  actions,
  header,
  footer,
  scroller,
  children,
}: DockedPanelProps) {
  const titleId = useId()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys of the elements inside
    <aside
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
      className="grid h-full grid-rows-[auto_auto_minmax(0,1fr)_auto] text-ui"
    >
      <DocumentFlag name="dock" />
      <header className="flex h-12 items-center justify-between gap-1 pe-3 ps-5">
        <h2 id={titleId} className="min-w-0 truncate font-semibold">
          {title}
        </h2>
        <div className="flex">{actions}</div>
      </header>
      <div>{header}</div>
      <div ref={scroller} className="overflow-y-auto scroll-quiet">
        {children}
      </div>
      <div>{footer}</div>
    </aside>
  )
}
