-- owner: ninguem
CREATE VIEW `legado.v_clientes` AS SELECT `c`.`cod_cliente` AS `id`, upper(trim(`c`.`nm_cliente`)) AS `nome`, `c`.`nr_cpf` AS `cpf`, `g`.`endereço` AS `endereço`, `g`.`e-mail` AS `e-mail` FROM `legado`.`clientes_old` `c` LEFT OUTER JOIN `legado`.`cadastro_geral` `g` ON (`c`.`nr_cpf` = `g`.`nº doc`) WHERE `c`.`fl_ativo` = 'S'
