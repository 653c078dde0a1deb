import { Check, Copy } from 'lucide-react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { useCopied } from '../../../components/use-copy.ts'

/** Copies a text, and says so in its own place. */
export function CopyButton({ label, text, className }: { label: string; text: string; className?: string }) {
  const { copied, copy } = useCopied()
  return (
    <IconButton
      size="sm"
      label={copied ? 'Copied' : label}
      icon={copied ? <Check size={16} className="text-success" /> : <Copy size={16} />}
      onClick={() => void copy(text)}
      {...(className !== undefined && { className })}
    />
  )
}
