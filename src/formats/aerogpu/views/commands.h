/*
 * Commands as users read them: a submission's stream as lines and as JSON, each of its
 * commands alone, a frame's commands. The key of a submission's listings is its number; of a
 * command, the submission above its number, by SUBMISSION_BITS; of a frame's, the frame. As
 * the members of struct rule, struct dump_ops and struct dump_listing.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_COMMANDS_H
#define GPUDUMPFS_AEROGPU_VIEWS_COMMANDS_H

#include "formats/aerogpu/dump.h"
#include "tree/rule.h"

enum { SUBMISSION_BITS = 28 };
#define SUBMISSION_MASK ((UINT64_C(1) << SUBMISSION_BITS) - 1)

enum { PIECE_COMMANDS = 2048 }; /* of one piece of a listing */

extern const struct dump_listing aerogpu_command_listing, aerogpu_command_json;
extern const struct rule_family aerogpu_command_bin_family, aerogpu_command_txt_family;

int aerogpu_command_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_command_bin(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int aerogpu_command_txt(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

/* A frame's commands, key = frame, each behind its packet's number. */
int aerogpu_frame_commands_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  uint64_t *pieces);
int aerogpu_frame_commands_piece(struct dump *dump, uint64_t key, uint64_t piece,
                                 const struct cancel *cancel, struct text *text);

/* As dump_ops says: the packet, and the offset in its stream if there is one. */
size_t aerogpu_command_place(const char *line, size_t length, unsigned *inside);

/* The stream of a submission; false: it has none. */
bool aerogpu_stream_of(const struct aerogpu_dump *dump, uint32_t submission,
                       struct aerogpu_stream *stream);

/*
 * The command of a Packet record without a stream, as a line behind `prefix`. Returns how many
 * bytes follow it in the record.
 */
uint32_t aerogpu_packet_command_write(const struct aerogpu_dump *dump,
                                      const struct aerogpu_record *record, const char *prefix,
                                      struct text *text);

#endif
