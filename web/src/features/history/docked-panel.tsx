import { X } from 'lucide-react'
import { useEffect, useRef, type KeyboardEventHandler, type ReactNode, type Ref } from 'react'
import { IconButton } from '../../components/ui/icon-button.tsx'

interface DockedPanelProps {
  title: string
  /** somebody asked for the panel, which is there: it takes the focus */
  asked: boolean
  onAnswered: () => void
  onClose: () => void
  onKeyDown: KeyboardEventHandler
  head: ReactNode
  foot: ReactNode
  /** given the element that the children scroll in */
  scroller: Ref<HTMLDivElement>
  children: ReactNode
}

/** The panel beside the chat: a part of the page like others, which holds no focus and closes by its button alone. */
export function DockedPanel({
  title,
  asked,
  onAnswered,
  onClose,
  onKeyDown,
  head,
  foot,
  scroller,
  children,
}: DockedPanelProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!asked) return
    panel.current?.focus()
    onAnswered()
  }, [asked, onAnswered])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that are pressed on what is inside
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={title}
      onKeyDown={onKeyDown}
      className="grid h-full grid-rows-[auto_auto_minmax(0,1fr)_auto] text-ui outline-none"
    >
      <header className="flex h-(--height-topbar) items-center justify-between pr-2 pl-5">
        <h2 className="text-base/6 font-semibold tracking-[-0.008em]">{title}</h2>
        <IconButton
          label="Close conversations"
          tooltip={false}
          icon={<X size={20} strokeWidth={1.75} />}
          onClick={onClose}
        />
      </header>
      <div>{head}</div>
      <div ref={scroller} className="overflow-y-auto scroll-quiet">
        {children}
      </div>
      <div>{foot}</div>
    </aside>
  )
}
