import { X } from 'lucide-react'
import { useEffect, useRef, type KeyboardEventHandler, type ReactNode, type Ref } from 'react'
import { DocumentFlag } from '../../components/ui/document-flag.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import * as texts from './texts.ts'

interface DockedPanelProps {
  title: string
  /** whether the user opens the panel although it is visible: it then takes the focus */
  isRequested: boolean
  onFocused: () => void
  onClose: () => void
  onKeyDown: KeyboardEventHandler
  header: ReactNode
  footer: ReactNode
  /** the scroll container of the children */
  scroller: Ref<HTMLDivElement>
  children: ReactNode
}

/** The panel beside the chat: a part of the page, not a dialog. It does not trap the focus, and closes by its button only. */
export function DockedPanel({
  title,
  isRequested,
  onFocused,
  onClose,
  onKeyDown,
  header,
  footer,
  scroller,
  children,
}: DockedPanelProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isRequested) return
    panel.current?.focus()
    onFocused()
  }, [isRequested, onFocused])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys of the elements inside
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={title}
      onKeyDown={onKeyDown}
      className="grid h-full grid-rows-[auto_auto_minmax(0,1fr)_auto] text-ui outline-none"
    >
      <DocumentFlag name="dock" />
      <header className="flex h-(--height-topbar) items-center justify-between pe-2 ps-5">
        <h2 className="text-base/6 font-semibold tracking-[-0.008em]">{title}</h2>
        <IconButton
          label={texts.closePanel}
          tooltip={false}
          icon={<X size={20} strokeWidth={1.75} />}
          onClick={onClose}
        />
      </header>
      <div>{header}</div>
      <div ref={scroller} className="overflow-y-auto scroll-quiet">
        {children}
      </div>
      <div>{footer}</div>
    </aside>
  )
}
