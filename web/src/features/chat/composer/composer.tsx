import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { memo, useEffect, useId, useState, type ReactNode, type RefObject } from 'react'
import { composerMaxPx, composerMinPx } from '../../../lib/limits.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { cardClass } from '../../../components/ui/card-class.ts'
import { whenIdle } from '../../../lib/when-idle.ts'
import { useConfig } from '../../../lib/config.ts'
import { phoneQuery, useMediaQuery } from '../../../lib/use-media-query.ts'
import { AttachButton } from '../attachments/attach-button.tsx'
import { useConversationState } from '../state/conversation.ts'
import { ComposerFooter } from './composer-footer.tsx'
import { SendButtons } from './send-buttons.tsx'
import { useComposer, type ComposerOptions } from './use-composer.ts'

/** Its code is loaded with the first file. */
const Chips = lazyComponent(
  () => import('../attachments/attachment-chips.tsx'),
  'AttachmentChips',
  <div className="h-14" />,
)

const AttachMenu = lazyComponent(
  async () => {
    await whenIdle()
    return import('../attachments/attach-menu.tsx')
  },
  'AttachMenu',
  null,
  // files can be attached without it
  { silent: true },
)

const DropOverlay = lazyComponent(
  () => import('../attachments/drop-overlay.tsx'),
  'DropOverlay',
  null,
  // files can be dropped without it
  { silent: true },
)

const PromptMenu = lazyComponent(
  () => import('./prompt-menu.tsx'),
  'PromptMenu',
  null,
  // what was typed is an ordinary message without it
  { silent: true },
)

const Dictation = lazyComponent(() => import('./dictation.tsx'), 'Dictation', null, {
  silent: true,
})

/** The padding that makes room for one, two and three buttons. */
const buttonPadding = [
  'pr-14 mirrored:pl-14',
  'pr-24 mirrored:pl-24 max-sm:pr-26 max-sm:mirrored:pl-26',
  'pr-34 mirrored:pl-34 max-sm:pr-38 max-sm:mirrored:pl-38',
]

/** A slash, also as Chinese and Japanese keyboards write it. */
const promptKey = /^[/／、]/

interface ComposerProps extends ComposerOptions {
  assistantName: string
  placeholder?: string
  /** choices that are shown between the buttons, below the text */
  choices?: ReactNode
}

/** The field for messages, with its files and buttons. Its state is in `useComposer`. */
export const Composer = memo(function Composer({
  assistantName,
  placeholder,
  choices,
  ...options
}: ComposerProps) {
  const { conversation, draftKey, uploadQueue } = options
  const id = useId()
  const dictates = useConfig()?.dictation
  const composer = useComposer(options)
  const { field, text, files, isBlank, isReplying, mayAttach } = composer
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  const projectId = useConversationState(conversation, (state) => state.projectId)
  const assistantId = useConversationState(conversation, ({ assistant }) =>
    assistant?.gone ? undefined : assistant?.id,
  )
  const isTall = useTallField(field, isBlank) || choices !== undefined
  useFittedHeight(field, text)

  return (
    <>
      <form
        {...composer.formProps}
        className={clsx(
          cardClass,
          'relative outline-accent-soft-hover [--hairline:var(--color-line-control)] focus-within:outline-[3px] focus-within:[--hairline:var(--color-accent)]',
        )}
      >
        {promptKey.test(text) && (
          <PromptMenu input={field} text={text} projectId={projectId} assistantId={assistantId} />
        )}
        {files.length > 0 && <Chips queue={uploadQueue} files={files} />}
        <label htmlFor={id} className="sr-only">
          {t`Message ${assistantName}`}
        </label>
        <textarea
          {...composer.bindField()}
          id={id}
          rows={1}
          dir="auto"
          placeholder={placeholder ?? t`Message ${assistantName}...`}
          style={{ minHeight: composerMinPx, maxHeight: composerMaxPx }}
          className={clsx(
            'block w-full resize-none bg-transparent text-base field-sizing-content scroll-quiet outline-none',
            isTall
              ? 'px-4 pt-[15px]'
              : // sides by the direction of the page: the field itself has the direction of its text
                [
                  'py-[13px]',
                  mayAttach
                    ? 'pl-18 mirrored:pr-18 max-sm:pl-22 max-sm:mirrored:pr-22'
                    : 'pl-4 mirrored:pr-4',
                  buttonPadding[(dictates ? 1 : 0) + (isReplying && !isBlank ? 1 : 0)],
                ],
          )}
        />
        {/* the same elements in both layouts, so that a dictation goes on when the text becomes long */}
        <div className={isTall ? 'flex items-center gap-0.5 p-[7px] pt-0.5' : 'contents'}>
          <div className={isTall ? 'flex' : 'absolute bottom-2 start-2 flex max-sm:bottom-1 max-sm:start-1'}>
            {mayAttach && (
              <>
                <AttachButton onFiles={composer.attach} />
                <AttachMenu onFiles={composer.attach} />
              </>
            )}
          </div>
          {isTall && (
            <div data-icons-only className="flex min-w-0 flex-1 flex-wrap items-center *:min-w-0 *:pb-0">
              {choices}
            </div>
          )}
          <div
            className={clsx(
              'flex',
              isTall ? 'gap-0.5' : 'absolute end-2 bottom-2 gap-1.5 max-sm:end-1 max-sm:bottom-1',
            )}
          >
            {dictates && <Dictation draftKey={isTemporary ? undefined : draftKey} />}
            <SendButtons conversation={conversation} composer={composer} />
          </div>
        </div>
      </form>
      <ComposerFooter assistantName={assistantName} conversation={conversation} composer={composer} />
      {composer.isDragging && <DropOverlay mayAttach={mayAttach} />}
    </>
  )
})

/**
 * Whether the text stands above the buttons. On a phone a text of two lines moves there, and stays until it is sent or emptied: in the full
 * width it may fit into one line again, and would move back.
 */
function useTallField(field: RefObject<HTMLTextAreaElement | null>, isBlank: boolean): boolean {
  const isNarrow = useMediaQuery(phoneQuery)
  const [isLong, setIsLong] = useState(false)
  if (isLong && isBlank) setIsLong(false)
  useEffect(() => {
    const node = field.current
    if (!node) return
    const observer = new ResizeObserver(() => {
      if (node.value !== '' && node.offsetHeight > composerMinPx) setIsLong(true)
    })
    observer.observe(node)
    return () => observer.disconnect()
  }, [field])
  return isNarrow && isLong
}

/** Makes the field as high as its text, where the style sheet does not: there no key has to wait for a measurement of the whole text. */
function useFittedHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useEffect(() => {
    const node = field.current
    if (node && !CSS.supports('field-sizing', 'content'))
      import('./fit-height.ts').then(
        ({ fitHeight }) => fitHeight(node),
        // the text scrolls in a field of one line
        () => undefined,
      )
  }, [field, text])
}
