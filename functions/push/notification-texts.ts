import { languageDirections, type Language } from '#shared/languages.ts'

/** What the user is told about a conversation, or about a schedule: a run of it did not begin, or it is paused. */
export type NotificationKind = 'waiting' | 'ended' | 'incomplete' | 'failed' | 'skipped' | 'paused'

/** The sentences of notifications and their mails. `{brand}` is the name of the product, `{title}` that of the conversation. */
interface NotificationTexts extends Record<
  NotificationKind,
  { body: string; subject: string; opening: string }
> {
  /** on the button */
  action: string
  /** the same, of notifications about a schedule */
  openSchedules: string
  closing: string
}

export const notificationTexts: Readonly<Record<Language, NotificationTexts>> = {
  en: {
    waiting: {
      body: 'Waiting for you',
      subject: 'Waiting for you: {title}',
      opening: 'The conversation “{title}” is waiting for you in {brand}. It goes on when you have decided.',
    },
    ended: {
      body: 'The reply is ready',
      subject: 'Reply ready: {title}',
      opening: 'The reply in the conversation “{title}” is ready in {brand}.',
    },
    incomplete: {
      body: 'The reply is not complete',
      subject: 'Reply not complete: {title}',
      opening:
        'The reply in the conversation “{title}” is not complete in {brand}. You can continue it there.',
    },
    failed: {
      body: 'The reply could not be finished',
      subject: 'Reply not finished: {title}',
      opening: 'The reply in the conversation “{title}” could not be finished in {brand}.',
    },
    skipped: {
      body: 'A scheduled run could not begin',
      subject: 'Scheduled run not begun: {title}',
      opening:
        'A scheduled run of “{title}” could not begin in {brand}. Under “Scheduled” you can see what became of it.',
    },
    paused: {
      body: 'Schedule paused',
      subject: 'Schedule paused: {title}',
      opening:
        'The schedule “{title}” is paused in {brand} and does not run until you resume it. Under “Scheduled” you can see why.',
    },
    action: 'Open the conversation',
    openSchedules: 'Open the schedules',
    closing: 'You can switch these mails off in the settings, under Notifications.',
  },
  de: {
    waiting: {
      body: 'Wartet auf Sie',
      subject: 'Wartet auf Sie: {title}',
      opening:
        'Die Unterhaltung „{title}“ wartet in {brand} auf Sie. Sie geht weiter, sobald Sie entschieden haben.',
    },
    ended: {
      body: 'Die Antwort ist fertig',
      subject: 'Antwort fertig: {title}',
      opening: 'Die Antwort in der Unterhaltung „{title}“ ist in {brand} fertig.',
    },
    incomplete: {
      body: 'Die Antwort ist nicht vollständig',
      subject: 'Antwort nicht vollständig: {title}',
      opening:
        'Die Antwort in der Unterhaltung „{title}“ ist in {brand} nicht vollständig. Sie können sie dort fortsetzen.',
    },
    failed: {
      body: 'Die Antwort konnte nicht abgeschlossen werden',
      subject: 'Antwort nicht abgeschlossen: {title}',
      opening: 'Die Antwort in der Unterhaltung „{title}“ konnte in {brand} nicht abgeschlossen werden.',
    },
    skipped: {
      body: 'Ein geplanter Lauf konnte nicht beginnen',
      subject: 'Geplanter Lauf nicht begonnen: {title}',
      opening:
        'Ein geplanter Lauf von „{title}“ konnte in {brand} nicht beginnen. Unter „Geplant“ sehen Sie, was daraus wurde.',
    },
    paused: {
      body: 'Zeitplan angehalten',
      subject: 'Zeitplan angehalten: {title}',
      opening:
        'Der Zeitplan „{title}“ ist in {brand} angehalten und läuft erst wieder, wenn Sie ihn fortsetzen. Unter „Geplant“ sehen Sie den Grund.',
    },
    action: 'Unterhaltung öffnen',
    openSchedules: 'Zeitpläne öffnen',
    closing: 'Sie können diese E-Mails in den Einstellungen unter „Benachrichtigungen“ ausschalten.',
  },
  fr: {
    waiting: {
      body: 'En attente de votre décision',
      subject: 'En attente de votre décision : {title}',
      opening:
        'La conversation « {title} » vous attend dans {brand}. Elle reprendra dès que vous aurez décidé.',
    },
    ended: {
      body: 'La réponse est prête',
      subject: 'Réponse prête : {title}',
      opening: 'La réponse de la conversation « {title} » est prête dans {brand}.',
    },
    incomplete: {
      body: 'La réponse est incomplète',
      subject: 'Réponse incomplète : {title}',
      opening:
        'La réponse de la conversation « {title} » est incomplète dans {brand}. Vous pouvez l’y poursuivre.',
    },
    failed: {
      body: 'La réponse n’a pas pu être terminée',
      subject: 'Réponse inachevée : {title}',
      opening: 'La réponse de la conversation « {title} » n’a pas pu être terminée dans {brand}.',
    },
    skipped: {
      body: 'Une exécution planifiée n’a pas pu démarrer',
      subject: 'Exécution planifiée non démarrée : {title}',
      opening:
        'Une exécution planifiée de « {title} » n’a pas pu démarrer dans {brand}. Sous « Planifié », vous pouvez voir ce qu’il en est.',
    },
    paused: {
      body: 'Planification en pause',
      subject: 'Planification en pause : {title}',
      opening:
        'La planification « {title} » est en pause dans {brand} et ne s’exécutera plus tant que vous ne la reprendrez pas. Sous « Planifié », vous pouvez voir pourquoi.',
    },
    action: 'Ouvrir la conversation',
    openSchedules: 'Ouvrir les planifications',
    closing: 'Vous pouvez désactiver ces e-mails dans les paramètres, sous « Notifications ».',
  },
  es: {
    waiting: {
      body: 'Esperando su decisión',
      subject: 'Esperando su decisión: {title}',
      opening: 'La conversación «{title}» le espera en {brand}. Continuará cuando usted haya decidido.',
    },
    ended: {
      body: 'La respuesta está lista',
      subject: 'Respuesta lista: {title}',
      opening: 'La respuesta de la conversación «{title}» está lista en {brand}.',
    },
    incomplete: {
      body: 'La respuesta no está completa',
      subject: 'Respuesta incompleta: {title}',
      opening:
        'La respuesta de la conversación «{title}» no está completa en {brand}. Puede continuarla allí.',
    },
    failed: {
      body: 'No se pudo terminar la respuesta',
      subject: 'Respuesta sin terminar: {title}',
      opening: 'No se pudo terminar la respuesta de la conversación «{title}» en {brand}.',
    },
    skipped: {
      body: 'Una ejecución programada no pudo empezar',
      subject: 'Ejecución programada sin empezar: {title}',
      opening:
        'Una ejecución programada de «{title}» no pudo empezar en {brand}. En «Programado» puede ver qué ha ocurrido.',
    },
    paused: {
      body: 'Programación en pausa',
      subject: 'Programación en pausa: {title}',
      opening:
        'La programación «{title}» está en pausa en {brand} y no se ejecutará hasta que usted la reanude. En «Programado» puede ver el motivo.',
    },
    action: 'Abrir la conversación',
    openSchedules: 'Abrir las programaciones',
    closing: 'Puede desactivar estos correos en los ajustes, en «Notificaciones».',
  },
  'pt-BR': {
    waiting: {
      body: 'Aguardando você',
      subject: 'Aguardando você: {title}',
      opening: 'A conversa “{title}” aguarda você em {brand}. Ela continua assim que você decidir.',
    },
    ended: {
      body: 'A resposta está pronta',
      subject: 'Resposta pronta: {title}',
      opening: 'A resposta da conversa “{title}” está pronta em {brand}.',
    },
    incomplete: {
      body: 'A resposta não está completa',
      subject: 'Resposta incompleta: {title}',
      opening: 'A resposta da conversa “{title}” não está completa em {brand}. Você pode continuá-la lá.',
    },
    failed: {
      body: 'Não foi possível concluir a resposta',
      subject: 'Resposta não concluída: {title}',
      opening: 'Não foi possível concluir a resposta da conversa “{title}” em {brand}.',
    },
    skipped: {
      body: 'Uma execução agendada não pôde começar',
      subject: 'Execução agendada não iniciada: {title}',
      opening:
        'Uma execução agendada de “{title}” não pôde começar em {brand}. Em “Agendado” você pode ver o que aconteceu.',
    },
    paused: {
      body: 'Agendamento pausado',
      subject: 'Agendamento pausado: {title}',
      opening:
        'O agendamento “{title}” está pausado em {brand} e não será executado até que você o retome. Em “Agendado” você pode ver o motivo.',
    },
    action: 'Abrir a conversa',
    openSchedules: 'Abrir os agendamentos',
    closing: 'Você pode desativar estes e-mails nas configurações, em “Notificações”.',
  },
  ja: {
    waiting: {
      body: '確認をお待ちしています',
      subject: '確認をお待ちしています: {title}',
      opening: '{brand} の会話「{title}」が確認を待っています。ご判断いただくと続行します。',
    },
    ended: {
      body: '返信の準備ができました',
      subject: '返信の準備ができました: {title}',
      opening: '{brand} の会話「{title}」の返信ができました。',
    },
    incomplete: {
      body: '返信は完了していません',
      subject: '返信は完了していません: {title}',
      opening: '{brand} の会話「{title}」の返信は完了していません。会話を開くと続けられます。',
    },
    failed: {
      body: '返信を完了できませんでした',
      subject: '返信を完了できませんでした: {title}',
      opening: '{brand} の会話「{title}」の返信を完了できませんでした。',
    },
    skipped: {
      body: '予定された実行を開始できませんでした',
      subject: '予定された実行は開始されませんでした: {title}',
      opening:
        '{brand} で「{title}」の予定された実行を開始できませんでした。状況は「スケジュール」で確認できます。',
    },
    paused: {
      body: 'スケジュールは一時停止中です',
      subject: 'スケジュールは一時停止中です: {title}',
      opening:
        '{brand} のスケジュール「{title}」は一時停止中です。再開するまで実行されません。理由は「スケジュール」で確認できます。',
    },
    action: '会話を開く',
    openSchedules: 'スケジュールを開く',
    closing: 'このメールは、設定の「通知」でオフにできます。',
  },
  ar: {
    waiting: {
      body: 'بانتظارك',
      subject: 'بانتظارك: {title}',
      opening: 'المحادثة «{title}» بانتظارك في {brand}، وستُستأنف بعد أن تتخذ قرارك.',
    },
    ended: {
      body: 'الرد جاهز',
      subject: 'الرد جاهز: {title}',
      opening: 'الرد في المحادثة «{title}» جاهز في {brand}.',
    },
    incomplete: {
      body: 'الرد غير مكتمل',
      subject: 'رد غير مكتمل: {title}',
      opening: 'الرد في المحادثة «{title}» غير مكتمل في {brand}. يمكنك متابعته هناك.',
    },
    failed: {
      body: 'تعذّر إكمال الرد',
      subject: 'لم يكتمل الرد: {title}',
      opening: 'تعذّر إكمال الرد في المحادثة «{title}» في {brand}.',
    },
    skipped: {
      body: 'تعذّر بدء تشغيل مجدول',
      subject: 'لم يبدأ التشغيل المجدول: {title}',
      opening:
        'تعذّر بدء تشغيل مجدول للمهمة «{title}» في {brand}. يمكنك الاطلاع على ما حدث ضمن «المهام المجدولة».',
    },
    paused: {
      body: 'المهمة المجدولة متوقفة مؤقتًا',
      subject: 'المهمة المجدولة متوقفة مؤقتًا: {title}',
      opening:
        'المهمة المجدولة «{title}» متوقفة مؤقتًا في {brand} ولن تعمل حتى تستأنفها. يمكنك معرفة السبب ضمن «المهام المجدولة».',
    },
    action: 'فتح المحادثة',
    openSchedules: 'فتح المهام المجدولة',
    closing: 'يمكنك إيقاف هذه الرسائل في الإعدادات ضمن «الإشعارات».',
  },
}

/** The first of the tags that the product has, by its longest known prefix; English otherwise. */
export function chooseLanguage(...tags: readonly (string | undefined)[]): Language {
  const known = Object.keys(languageDirections) as Language[]
  for (const tag of tags) {
    const found =
      known.find((one) => one === tag) ?? known.find((one) => one.split('-')[0] === tag?.split('-')[0])
    if (found) return found
  }
  return 'en'
}
