import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { showToast } from '../../components/ui/toast.ts'

const thanksMs = 2_000

/** Copies a text, and says so in its own place. */
export function CopyButton({ label, text, className }: { label: string; text: string; className?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), thanksMs)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => showToast('error', 'Could not copy', { description: 'The browser did not allow it.' }),
    )
  return (
    <IconButton
      size="sm"
      label={copied ? 'Copied' : label}
      icon={copied ? <Check size={16} className="text-success" /> : <Copy size={16} />}
      onClick={() => void copy()}
      {...(className !== undefined && { className })}
    />
  )
}
