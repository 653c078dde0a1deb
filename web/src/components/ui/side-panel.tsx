import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useDeferredValue, type KeyboardEventHandler, type ReactNode, type Ref } from 'react'
import { BlockApps } from '../../lib/browser/app-blockers.ts'
import { useFocusReturn } from './dialog-focus.ts'
import { DocumentFlag } from './document-flag.tsx'
import { IconButton } from './icon-button.tsx'
import { ignoreToastPress, scrimClass } from './overlay.ts'

interface SidePanelProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** buttons beside the title */
  actions?: ReactNode
  /** above the list */
  header?: ReactNode
  footer?: ReactNode
  onKeyDown?: KeyboardEventHandler
  /** where the focus moves on close; null or absent: where it came from */
  findFocusTarget?: () => HTMLElement | null
  /** the scroll container of the children */
  scroller?: Ref<HTMLDivElement>
  children: ReactNode
}

/** Renders its children after the first paint of the panel: the panel opens at once, also with a long list. */
function AfterOpening({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children
}

/** A modal panel that slides in from the start of the line: the left, or the right in Arabic. */
export function SidePanel({
  open,
  onOpenChange,
  title,
  actions,
  header,
  footer,
  onKeyDown,
  findFocusTarget,
  scroller,
  children,
}: SidePanelProps) {
  const focusReturn = useFocusReturn(findFocusTarget)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={clsx(scrimClass, 'z-(--z-panel) print:hidden')} />
        <Radix.Content
          {...focusReturn}
          onPointerDownOutside={ignoreToastPress}
          onKeyDown={onKeyDown}
          aria-describedby={undefined}
          className={clsx(
            'fixed inset-y-0 start-0 z-(--z-panel) grid w-[min(var(--width-panel),calc(100vw-2.5rem))] grid-rows-[auto_auto_minmax(0,1fr)_auto]',
            // Radix sets pointer-events, too, but only after the first render: everything inside would be styled twice
            'pointer-events-auto bg-surface-overlay text-ui shadow-dialog outline-none forced-colors:border-e',
            'data-[state=open]:animate-slide data-[state=closed]:animate-slide-out print:hidden',
          )}
        >
          <BlockApps />
          <DocumentFlag name="panel" />
          <header className="flex h-(--height-topbar) items-center justify-between pe-2 ps-5">
            <Radix.Title className="text-base/6 font-semibold tracking-snug">{title}</Radix.Title>
            <div className="flex">
              {actions}
              <Radix.Close asChild>
                <IconButton label={t`Close`} tooltip={false} icon={<X size={20} strokeWidth={1.75} />} />
              </Radix.Close>
            </div>
          </header>
          <div>{header}</div>
          <div ref={scroller} className="overflow-y-auto scroll-quiet">
            <AfterOpening>{children}</AfterOpening>
          </div>
          <div>{footer}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
