import { t } from '@lingui/core/macro'
import { MessageSquareText } from 'lucide-react'
import type { ComponentProps } from 'react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../../../components/ui/popover.tsx'
import { RatingForm } from './rating-form.tsx'

/** The button of a rated reply beside its thumbs, which opens the form for a sentence. */
export function RatingPopover({
  isOpen,
  setOpen,
  ...form
}: { isOpen: boolean; setOpen: (isOpen: boolean) => void } & Omit<
  ComponentProps<typeof RatingForm>,
  'onClose'
>) {
  return (
    <Popover open={isOpen} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <IconButton size="sm" label={t`Say why`} icon={<MessageSquareText size={16} />} />
      </PopoverTrigger>
      <PopoverContent aria-label={t`Say why`} align="start" side="top" className="p-4">
        <RatingForm {...form} onClose={() => setOpen(false)} />
      </PopoverContent>
    </Popover>
  )
}
