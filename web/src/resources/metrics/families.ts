/** What the ready metrics measure, by the group of their templates. The page of the ready metrics and docs/metrics.md have them in this order. */
export const families = {
  quality: 'Quality of answers',
  grounding: 'Retrieval and grounding',
  conversation: 'Conversations',
  agents: 'Agents and their traces',
  safety: 'Safety',
  format: 'Format',
  text: 'Texts',
  people: 'People',
} as const;
