/** Triggers that the first enabling of e-mail or Slack switches on (DECISIONS.md#first-enabling-of-email). */
export const triggersSeeded = {
  "comment_annotation.add": true,
  "comment.add": true,
  "comment_annotation.status_change": true,
  "comment_annotation.assign": true,
  "comment_annotation.priority_change": true,
  "huddle.create": true,
  "huddle.join": true,
};
